import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** A folder for `PATH` with programs that do nothing, or what their shell script does. */
export async function programsFolder(programs: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder()
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`)
    await chmod(join(folder, name), 0o755)
  }
  return folder
}
