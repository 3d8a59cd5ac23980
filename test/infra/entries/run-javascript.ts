import { openSandbox } from '../../../shared/play/sandbox/open-sandbox.ts'

export async function handler(code: string): Promise<string> {
  const sandbox = openSandbox({ caller: 'test' })
  return JSON.stringify(await sandbox.run({ code, seed: 0 }, []))
}
