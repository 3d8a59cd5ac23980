/**
 * Regions that `npm run lint:template` checks. Other partitions (GovCloud, China) are left out: they have no AWS
 * Budgets, and a CloudFront of their own.
 */
export const regions = [
  'us-east-1',
  'us-east-2',
  'us-west-1',
  'us-west-2',
  'ca-central-1',
  'eu-central-1',
  'eu-west-1',
  'eu-west-2',
  'eu-west-3',
  'ap-northeast-1',
  'ap-northeast-2',
  'ap-south-1',
  'ap-southeast-1',
  'ap-southeast-2',
  'sa-east-1',
] as const

/** Regions whose CloudFormation lacks budgets, by cfn-lint's data. Stages there have none. */
export const regionsWithoutBudgets = ['eu-north-1', 'eu-south-1', 'ap-northeast-3'] as const

export const offeredRegions: readonly string[] = [...regions, ...regionsWithoutBudgets]
