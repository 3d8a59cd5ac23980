import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm'
import { EspalierError } from '../../contracts/errors.ts'
import { AwsConnections } from './aws-connections.ts'
import { awsCall, nameOf } from './aws-error.ts'

export interface AwsSecrets {
  /** The text of a secret in Secrets Manager. @throws EspalierError `invalid_request` if there is none */
  secret(name: string): Promise<string>
  /** A parameter of Systems Manager, decrypted. @throws EspalierError `invalid_request` if there is none */
  parameter(name: string): Promise<string>
}

export function openAwsSecrets(connections = new AwsConnections()): AwsSecrets {
  const secrets = connections.lazily((settings) => new SecretsManagerClient(settings))
  const parameters = connections.lazily((settings) => new SSMClient(settings))

  return {
    async secret(name) {
      const call = {
        doing: `read the secret "${name}"`,
        resource: 'Secrets Manager',
        setting: 'the name of the secret',
      }
      const answer = await awsCall(call, () =>
        orAbsent(/^ResourceNotFoundException$/, () =>
          secrets().send(new GetSecretValueCommand({ SecretId: name })),
        ),
      )
      return textOf(answer?.SecretString, `secret "${name}" in Secrets Manager`)
    },
    async parameter(name) {
      const call = {
        doing: `read the parameter "${name}"`,
        resource: 'the parameter store',
        setting: 'the name of the parameter',
      }
      const answer = await awsCall(call, () =>
        orAbsent(/^ParameterNotFound$/, () =>
          parameters().send(new GetParameterCommand({ Name: name, WithDecryption: true })),
        ),
      )
      return textOf(answer?.Parameter?.Value, `parameter "${name}" in Systems Manager`)
    },
  }
}

async function orAbsent<Answer>(absent: RegExp, work: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await work()
  } catch (error) {
    if (absent.test(nameOf(error))) return null
    throw error
  }
}

function textOf(text: string | undefined, what: string): string {
  if (text !== undefined && text !== '') return text
  throw new EspalierError(
    'invalid_request',
    `There is no text in the ${what} of this account and region: make it there, or correct the name in endpoints.json.`,
  )
}
