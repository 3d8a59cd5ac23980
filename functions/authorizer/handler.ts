import { z } from 'zod'
import { openKeys } from '../../shared/core/auth/open-keys.ts'
import { openAwsLedger } from '../../shared/core/world/aws/open-aws-ledger.ts'
import { systemClock } from '../../shared/core/world/system-clock.ts'
import { authorizeWith } from './authorize.ts'

const { ESPALIER_TABLE } = z.object({ ESPALIER_TABLE: z.string().min(1) }).parse(process.env)

export const handler = authorizeWith(openKeys({ ledger: openAwsLedger(ESPALIER_TABLE), clock: systemClock }))
