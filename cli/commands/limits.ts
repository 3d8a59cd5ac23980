import { type Command, InvalidArgumentError } from 'commander'
import { formatCount, formatMoney } from '../../shared/core/client/format-quantity.ts'
import {
  type TenantLimits,
  type TenantLimitsRequest,
  tenantLimitsRequestSchema,
} from '../../shared/core/contracts/tenant-limits.ts'
import { atDesk, type DeskOptions, type DeskWays, stageFlag } from '../at-desk.ts'
import { wrongUsage } from '../command-error.ts'
import { formatTable } from '../format-table.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

const limitsDesk: DeskWays<LimitsDesk> = {
  service: (client) => ({ get: client.limits, set: client.setLimits }),
  async ledger(ledger, tenant) {
    const { openTenantLimits } = await import('../../shared/core/engine/spending/open-tenant-limits.ts')
    const limits = openTenantLimits({ ledger })
    return { get: () => limits.get(tenant), set: (request) => limits.set(tenant, request) }
  },
}

const columns = [
  { header: 'limit' },
  { header: 'at most', align: 'right' as const },
  { header: 'used', align: 'right' as const },
]

/** The value of a limit flag. Lifting a limit stays a word, because Commander turns null into an empty text. */
type Limit = number | 'none'
type SetOptions = DeskOptions & { maxCost?: Limit; maxTokens?: Limit }

const { cost: costSchema, tokens: tokensSchema } = tenantLimitsRequestSchema.shape

export function addLimitsCommand(program: Command, terminal: Terminal): void {
  const limits = program
    .command('limits')
    .description("Show a tenant's budget over all its runs, and its use.")
    .option(...stageFlag)
    .addHelpText('after', '\nExample: espalier limits --tenant acme')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<DeskOptions>()
      const found = await atDesk(options, terminal, limitsDesk, (desk) => desk.get())
      printResult(terminal, options, found, () => formatLimits(found, terminal.columns))
    })
  addSet(limits, terminal)
}

function addSet(limits: Command, terminal: Terminal): void {
  limits
    .command('set')
    .description("Set a tenant's budget. Needs access to the data folder, or --stage.")
    .option('--max-cost <dollars>', "pause the tenant's runs at this cost; none removes the limit", parseCost)
    .option(
      '--max-tokens <n>',
      "pause the tenant's runs after this many tokens; none removes the limit",
      parseTokens,
    )
    .addHelpText('after', '\nExample: espalier limits set --max-cost 100 --stage prod --tenant acme')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<SetOptions>()
      const { maxCost, maxTokens } = options
      if (maxCost === undefined && maxTokens === undefined) {
        throw wrongUsage('Which limit? Give --max-cost, --max-tokens, or both; "none" lifts one.')
      }
      const request = {
        ...(maxCost !== undefined && { cost: toLimit(maxCost) }),
        ...(maxTokens !== undefined && { tokens: toLimit(maxTokens) }),
      }
      const found = await atDesk(options, terminal, limitsDesk, (desk) => desk.set(request))
      printResult(terminal, options, found, () => formatLimits(found, terminal.columns))
    })
}

function parseCost(text: string): Limit {
  const limit = text === 'none' ? text : costSchema.safeParse(Number(text)).data
  if (limit != null) return limit
  throw new InvalidArgumentError('It takes dollars, more than 0 and at most 1000000, or "none".')
}

function parseTokens(text: string): Limit {
  const limit = text === 'none' ? text : tokensSchema.safeParse(Number(text)).data
  if (limit != null) return limit
  throw new InvalidArgumentError('It takes a whole number above 0, or "none".')
}

function toLimit(limit: Limit): number | null {
  return limit === 'none' ? null : limit
}

function formatLimits({ tenant, cost, tokens, used }: TenantLimits, width: number): string[] {
  const rows = [
    ['cost', cost === null ? 'none' : formatMoney(cost), formatMoney(used.cost)],
    ['tokens', tokens === null ? 'none' : formatCount(tokens), formatCount(used.tokens)],
  ]
  return [`All runs of the tenant "${tenant}" together:`, '', ...formatTable(columns, rows, width)]
}

interface LimitsDesk {
  get(): Promise<TenantLimits>
  set(limits: TenantLimitsRequest): Promise<TenantLimits>
}
