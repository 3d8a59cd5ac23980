import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { parseStageSettings } from '../stage-settings.ts'
import { pairwise, type Settings } from './pairwise.ts'

const network = { vpc: 'vpc-0a1b2c3d', subnets: 'subnet-0a1b2c3d,subnet-4e5f6a7b' }

export const settingFactors: readonly (readonly Settings[])[] = [
  [{}, network, { ...network, privateSubnets: 'true' }],
  [{}, { maxWorkers: '100', workers: 'fargate', warmWrites: '20000' }, { maxWorkers: '1' }],
  [{}, { trainings: 'true' }],
  [
    {},
    { web: 'false' },
    { cloudfront: 'false' },
    {
      domain: 'agents.example.com',
      certificate: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d-0000-4000-8000-000000000000',
    },
  ],
  [{}, { hosts: 'false' }],
  [{}, { fleets: '{"env-host":{"max_hosts":50}}' }],
  [
    {},
    { images: '123456789012.dkr.ecr.us-east-1.amazonaws.com/espalier-{image}:1' },
    { buildInAccount: 'true' },
  ],
  [{}, { quota: '10' }],
  [{ mail: 'someone@example.com' }, { budget: '0', dashboard: 'false' }],
  [{}, { bucket: 'the-bucket', table: 'the-table', protect: 'true' }],
]

export function settingPairs(): Settings[] {
  return pairwise(settingFactors, isAllowed)
}

function isAllowed(settings: Settings): boolean {
  try {
    parseStageSettings(settings)
    return true
  } catch (error) {
    if (EspalierError.isInstance(error)) return false
    throw error
  }
}
