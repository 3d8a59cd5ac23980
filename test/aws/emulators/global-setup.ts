import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Emulator, startEmulator } from './emulator-process.ts'
import { openFargateFront } from './fargate-front.ts'
import { installEmulators } from './install-emulators.ts'

/** What the tests' own calls may not come from: the account and the settings of who runs them. */
const neutral = {
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'us-east-1',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_EC2_METADATA_DISABLED: 'true',
}

/**
 * Starts the emulators before the tests and stops them after: fauxqs is SQS, moto is S3, ECS and the secrets, dynoxide is
 * DynamoDB. Their addresses are in the environment, where the SDK looks for them. With `AWS_E2E=1` nothing is started and
 * the tests meet the account of the environment's credentials.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.AWS_E2E === '1') return undefined
  const { fauxqs, dynoxide, python, python_environment } = await installEmulators()
  const logs = mkdtempSync(join(tmpdir(), 'espalier-emulators-'))
  const log = (name: string) => join(logs, `${name}.log`)
  const starting = [
    startEmulator({
      name: 'fauxqs',
      command: process.execPath,
      arguments: (port) => [join(import.meta.dirname, 'serve-fauxqs.ts'), fauxqs, String(port)],
      environment: {},
      log: log('fauxqs'),
    }),
    startEmulator({
      name: 'dynoxide',
      command: dynoxide,
      arguments: (port) => ['serve', '--host', '127.0.0.1', '--port', String(port)],
      environment: {},
      log: log('dynoxide'),
    }),
    startEmulator({
      name: 'moto',
      command: python,
      arguments: (port) => [join(import.meta.dirname, 'serve-moto.py'), String(port)],
      environment: python_environment,
      log: log('moto'),
    }),
  ]
  const stop = async () => {
    for (const started of await Promise.allSettled(starting)) {
      if (started.status === 'fulfilled') await started.value.stop()
    }
  }
  try {
    const [sqs, dynamodb, moto] = (await Promise.all(starting)) as [Emulator, Emulator, Emulator]
    await keepTasksRunning(moto.address)
    const front = await openFargateFront(moto.address)
    Object.assign(process.env, neutral, {
      AWS_ENDPOINT_URL_SQS: sqs.address,
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb.address,
      AWS_ENDPOINT_URL_S3: moto.address,
      AWS_ENDPOINT_URL_ECS: front.address,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: moto.address,
      AWS_ENDPOINT_URL_SSM: moto.address,
      ESPALIER_MOTO: moto.address,
    })
    delete process.env.AWS_PROFILE
    delete process.env.AWS_SESSION_TOKEN
    console.log(
      `Emulators: ${[sqs, dynamodb, moto].map(({ name, address }) => `${name} ${address}`).join(', ')}; logs in ${logs}`,
    )
    return async () => {
      await front.close()
      await stop()
    }
  } catch (error) {
    await stop()
    throw error
  }
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
