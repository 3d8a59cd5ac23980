import {
  CreateSecretCommand,
  DeleteSecretCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import { DeleteParameterCommand, PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAwsSecrets } from '../../shared/core/world/aws/secrets.ts'
import { uniqueName } from '../core/contracts/world/contract-world.ts'

describe('secrets', () => {
  const name = `espalier/test/${uniqueName()}`
  const manager = new SecretsManagerClient()
  const store = new SSMClient()
  const secrets = openAwsSecrets()

  beforeAll(async () => {
    await manager.send(new CreateSecretCommand({ Name: name, SecretString: 'sk-one' }))
    await store.send(new PutParameterCommand({ Name: `/${name}`, Value: 'sk-two', Type: 'SecureString' }))
  })
  afterAll(async () => {
    await manager.send(new DeleteSecretCommand({ SecretId: name, ForceDeleteWithoutRecovery: true }))
    await store.send(new DeleteParameterCommand({ Name: `/${name}` }))
  })

  test('are read from Secrets Manager and, decrypted, from the parameter store', async () => {
    expect(await secrets.secret(name)).toBe('sk-one')
    expect(await secrets.parameter(`/${name}`)).toBe('sk-two')
  })

  test('that are not there are named', async () => {
    const error = { code: 'invalid_request', message: expect.stringContaining('espalier/none') }
    await expect(secrets.secret('espalier/none')).rejects.toMatchObject(error)
    await expect(secrets.parameter('/espalier/none')).rejects.toMatchObject(error)
  })
})
