import { z } from 'zod'
import { openKeys } from '../../shared/auth/open-keys.ts'
import { openAwsLedger } from '../../shared/world/aws/open-aws-ledger.ts'
import { systemClock } from '../../shared/world/system-clock.ts'
import { authorizeWith } from './authorize.ts'

const { ESPALIER_TABLE } = z.object({ ESPALIER_TABLE: z.string().min(1) }).parse(process.env)

export const handler = authorizeWith(openKeys({ ledger: openAwsLedger(ESPALIER_TABLE), clock: systemClock }))
