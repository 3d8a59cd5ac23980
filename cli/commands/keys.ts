import { type Command, InvalidArgumentError } from 'commander'
import {
  type ApiKey,
  type CreatedKey,
  type KeyRequest,
  type Scope,
  scopeSchema,
} from '../../shared/core/contracts/key.ts'
import type { List, ListQuery } from '../../shared/core/contracts/list.ts'
import { didYouMean } from '../../shared/core/contracts/validation/nearest-name.ts'
import { atDesk, type DeskOptions, type DeskWays, stageFlag } from '../at-desk.ts'
import { wrongUsage } from '../command-error.ts'
import { formatTable } from '../format-table.ts'
import { parseNumber } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

const seconds = { s: 1, m: 60, h: 3600, d: 24 * 3600 } as const

const columns = ['key', 'name', 'scopes', 'made', 'expires'].map((header) => ({
  header,
  flexible: header === 'name',
}))

type CreateOptions = DeskOptions & { name: string; scopes: Scope[]; expires?: number }
type ListOptions = DeskOptions & { limit: number; after?: string }

export function addKeysCommand(program: Command, terminal: Terminal): void {
  const keys = program
    .command('keys')
    .description('Create, list and revoke the API keys of a tenant.')
    .addHelpText('after', '\nExample: espalier keys create --name nightly --scopes runs:write,runs:read')
  addCreate(keys, terminal)
  addList(keys, terminal)
  addRevoke(keys, terminal)
}

function addCreate(keys: Command, terminal: Terminal): void {
  keys
    .command('create')
    .description('Create a key and print it on standard output. It is shown only once.')
    .requiredOption('--name <text>', 'purpose of the key')
    .requiredOption('--scopes <list>', `its permissions: ${scopeSchema.options.join(',')}`, parseScopes)
    .option('--expires <time>', 'lifetime of the key, such as 90d (default: never)', parseDuration)
    .option(...stageFlag)
    .addHelpText(
      'after',
      '\nExample: espalier keys create --name laptop --scopes admin --stage prod --tenant acme',
    )
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<CreateOptions>()
      const { name, scopes, expires } = options
      const request: KeyRequest = { name, scopes, ...(expires === undefined ? {} : { expires_in: expires }) }
      const created = await atDesk(options, terminal, keyDesk, (desk) => desk.create(request))
      terminal.note(`${created.id} of the tenant "${created.tenant}". Keep the key: it is shown this once.`)
      printResult(terminal, options, created, () => [created.key])
    })
}

function addList(keys: Command, terminal: Terminal): void {
  keys
    .command('list')
    .description('List keys, newest first, without their secrets.')
    .option('--limit <n>', 'maximum number of keys', parseNumber, 20)
    .option('--after <key>', 'only keys after this one in the list')
    .option(...stageFlag)
    .addHelpText('after', '\nExample: espalier keys list')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>()
      const { limit, after } = options
      const query = { limit, ...(after === undefined ? {} : { after }) }
      const page = await atDesk(options, terminal, keyDesk, (desk) => desk.list(query))
      printResult(terminal, options, page, () => formatKeys(page.data, terminal.columns, Date.now()))
      if (page.has_more) terminal.note(`There are more: espalier keys list --after ${page.last_id}`)
    })
}

function addRevoke(keys: Command, terminal: Terminal): void {
  keys
    .command('revoke')
    .description('Revoke a key permanently.')
    .argument('<key>', 'id of the key, as `keys list` shows it')
    .option(...stageFlag)
    .addHelpText('after', '\nExample: espalier keys revoke key-06c5k8q2xg-4hj7k2mn')
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<DeskOptions>()
      // Do not repeat a secret in an error: it would end up in a log.
      if (id.startsWith('esp_'))
        throw wrongUsage('That is a key itself. Give its id, as `espalier keys list` shows it.')
      await atDesk(options, terminal, keyDesk, (desk) => desk.revoke(id))
      printResult(terminal, options, { id, object: 'api_key', deleted: true }, () => [`${id} is revoked.`])
    })
}

function parseScopes(text: string): Scope[] {
  return text.split(/[\s,]+/).map((word) => {
    const scope = scopeSchema.safeParse(word)
    if (scope.success) return scope.data
    throw new InvalidArgumentError(
      `"${word}" is no scope.${didYouMean(word, scopeSchema.options)} Choose from: ${scopeSchema.options.join(', ')}.`,
    )
  })
}

export function formatKeys(keys: ApiKey[], width: number, now: number): string[] {
  if (keys.length === 0) return ['No keys yet. Make one: espalier keys create --name laptop --scopes admin']
  const rows = keys.map(({ id, name, scopes, created_at, expires_at }) => [
    id,
    name,
    scopes.join(' '),
    created_at.slice(0, 10),
    formatExpiry(expires_at, now),
  ])
  return formatTable(columns, rows, width)
}

function formatExpiry(expiresAt: string | null, now: number): string {
  if (expiresAt === null) return 'never'
  return Date.parse(expiresAt) <= now ? 'expired' : expiresAt.slice(0, 10)
}

/** Parses `90d`, `12h`, `30m` or `45s` into seconds. */
function parseDuration(text: string): number {
  const [, amount = '', unit] = /^(\d{1,9})([smhd])$/.exec(text.trim()) ?? []
  const length = Number(amount) * (seconds[unit as keyof typeof seconds] ?? 0)
  if (length > 0) return length
  throw new InvalidArgumentError('It takes a time such as 90d, 12h or 30m.')
}

interface KeyDesk {
  create(request: KeyRequest): Promise<CreatedKey>
  list(query: ListQuery): Promise<List<ApiKey>>
  revoke(id: string): Promise<void>
}

const keyDesk: DeskWays<KeyDesk> = {
  service: (client) => ({
    create: client.createKey,
    list: ({ limit, after }) => client.keys({ limit, after }),
    revoke: client.revokeKey,
  }),
  async ledger(ledger, tenant) {
    const { openKeys } = await import('../../shared/core/auth/open-keys.ts')
    const { systemClock } = await import('../../shared/core/world/system-clock.ts')
    const keys = openKeys({ ledger, clock: systemClock })
    return {
      create: (request) => keys.create(tenant, request),
      list: (query) => keys.list(tenant, query),
      revoke: (id) => keys.revoke(tenant, id),
    }
  },
}
