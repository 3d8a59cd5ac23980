import { RegionInfo } from 'aws-cdk-lib/region-info'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { didYouMean } from '../../shared/core/contracts/validation/nearest-name.ts'

export function checkRegion(region: string): void {
  const known = RegionInfo.regions.map(({ name }) => name)
  if (known.includes(region)) return
  throw new EspalierError(
    'invalid_request',
    `AWS has no region "${region}".${didYouMean(region, known)} Set AWS_REGION, or the region of your profile.`,
    { param: 'AWS_REGION' },
  )
}
