import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDynamodbLocal } from './dynamodb-local.ts'
import { startElasticmq } from './elasticmq.ts'
import { type Emulator, startEmulator } from './emulator-process.ts'
import { openFargateFront } from './fargate-front.ts'
import { type Emulators, installEmulators } from './install-emulators.ts'

/** Which programs stand for S3, SQS and DynamoDB. Moto is ECS and the secrets too, in each set. */
export const emulatorSets = {
  /** Small and quick to start: fauxqs, moto and dynoxide. */
  usual: { s3: 'moto', sqs: 'fauxqs', dynamodb: 'dynoxide' },
  /** Amazon's own DynamoDB Local, and ElasticMQ: programs for Java. */
  java: { s3: 'moto', sqs: 'elasticmq', dynamodb: 'dynamodb-local' },
} as const

export type EmulatorSet = keyof typeof emulatorSets

/** Variables by which the SDK and the tests find the emulators. */
export type EmulatorVariables = Record<string, string>

/** What the tests' own calls may not come from: the account and the settings of who runs them. */
const neutral = {
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'us-east-1',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_EC2_METADATA_DISABLED: 'true',
}

/** What a set needs and is not here, in words; null where all is. */
export function missingFor(set: EmulatorSet): string | null {
  const needed = { usual: [], java: ['java', 'mvn'] }[set]
  const absent = needed.filter((command) => spawnSync('which', [command]).status !== 0)
  return absent.length === 0 ? null : `there is no ${absent.join(' and no ')} here`
}

/**
 * Starts the emulators of a set.
 *
 * @returns the variables under which they are found, and what stops them
 */
export async function startEmulators(
  set: EmulatorSet,
): Promise<{ variables: EmulatorVariables; stop: () => Promise<void> }> {
  const chosen = emulatorSets[set]
  const installed = await installEmulators()
  const logs = mkdtempSync(join(tmpdir(), 'espalier-emulators-'))
  const log = (name: string) => join(logs, `${name}.log`)
  const moto = startMoto(installed, log('moto'))
  const starting = {
    moto,
    sqs: chosen.sqs === 'fauxqs' ? startFauxqs(installed, log('fauxqs')) : startElasticmq(log('elasticmq')),
    dynamodb:
      chosen.dynamodb === 'dynoxide'
        ? startDynoxide(installed, log('dynoxide'))
        : startDynamodbLocal(log('dynamodb-local')),
  }
  const stop = async () => {
    for (const started of await Promise.allSettled(Object.values(starting))) {
      if (started.status === 'fulfilled') await started.value.stop()
    }
  }
  try {
    const [s3, sqs, dynamodb] = await Promise.all([moto, starting.sqs, starting.dynamodb])
    await keepTasksRunning(s3.address)
    const front = await openFargateFront(s3.address)
    const named = [sqs, dynamodb, s3].map(({ name, address }) => `${name} ${address}`)
    console.log(`Emulators: ${named.join(', ')}; logs in ${logs}`)
    return {
      variables: {
        ...neutral,
        AWS_ENDPOINT_URL_SQS: sqs.address,
        AWS_ENDPOINT_URL_DYNAMODB: dynamodb.address,
        AWS_ENDPOINT_URL_S3: s3.address,
        AWS_ENDPOINT_URL_ECS: front.address,
        AWS_ENDPOINT_URL_SECRETS_MANAGER: s3.address,
        AWS_ENDPOINT_URL_SSM: s3.address,
        ESPALIER_MOTO: s3.address,
        ESPALIER_EMULATORS: set,
      },
      async stop() {
        await front.close()
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Starts the program that stands for S3 alone. */
export async function startS3(): Promise<{ variables: EmulatorVariables; stop: () => Promise<void> }> {
  const log = join(mkdtempSync(join(tmpdir(), 'espalier-s3-')), 'moto.log')
  const { address, stop } = await startMoto(await installEmulators(), log)
  return { variables: { ...neutral, AWS_ENDPOINT_URL_S3: address }, stop }
}

function startFauxqs({ fauxqs }: Emulators, log: string): Promise<Emulator> {
  return startEmulator({
    name: 'fauxqs',
    command: process.execPath,
    arguments: (port) => [join(import.meta.dirname, 'serve-fauxqs.ts'), fauxqs, String(port)],
    environment: {},
    log,
  })
}

function startDynoxide({ dynoxide }: Emulators, log: string): Promise<Emulator> {
  return startEmulator({
    name: 'dynoxide',
    command: dynoxide,
    arguments: (port) => ['serve', '--host', '127.0.0.1', '--port', String(port)],
    environment: {},
    log,
  })
}

function startMoto({ python, python_environment }: Emulators, log: string): Promise<Emulator> {
  return startEmulator({
    name: 'moto',
    command: python,
    arguments: (port) => [join(import.meta.dirname, 'serve-moto.py'), String(port)],
    environment: python_environment,
    log,
  })
}

/** Left alone, moto moves a task one step towards its end with every look at it. */
async function keepTasksRunning(moto: string): Promise<void> {
  const answer = await fetch(`${moto}/moto-api/state-manager/set-transition`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      model_name: 'ecs::task',
      transition: { progression: 'manual', times: 1_000_000 },
    }),
  })
  if (!answer.ok)
    throw new Error(`moto cannot be told how tasks change: ${answer.status} ${await answer.text()}`)
}
