import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { exampleEnvironment } from '../../shared/core/contracts/example-environment.ts'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import type { RolloutRun } from '../../shared/core/contracts/rollout.ts'
import { detachNeedsService } from '../change-run.ts'
import { choiceOption } from '../choice-option.ts'
import { CommandError, interrupted } from '../command-error.ts'
import { nextCommand } from '../command-name.ts'
import { type Connection, lookAt, withConnection } from '../connect.ts'
import { addEnvironmentFile } from '../environment-file.ts'
import { formatGroup, formatRollout, formatRollouts } from '../format-rollout.ts'
import type { GlobalOptions } from '../global-options.ts'
import { addMethodFile } from '../method-file.ts'
import { collect, parseNumber, parseSettings } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import { checkFilesServed, type RunFileFlags, readRunRequest } from '../read-run-request.ts'
import { addLabelOptions, addLimitOptions, addPlayOptions, addTaskOptions } from '../run-options.ts'
import type { Terminal } from '../terminal.ts'

export interface GroupFlags {
  groupSize?: number
  policy?: string
  timeout?: number
  inFlight?: number
  record?: string
  credit?: string[]
}

type StartOptions = GlobalOptions & RunFileFlags & GroupFlags & { idempotencyKey?: string; detach?: boolean }

export function addRolloutsCommand(program: Command, terminal: Terminal): void {
  const rollouts = program
    .command('rollouts')
    .description('List rollouts, or start, show, follow and cancel one: groups of episodes for a trainer.')
    .addHelpText('after', '\nExample: espalier rollouts follow rollout-0123 --after 12')

  addStart(rollouts, terminal)

  rollouts
    .command('list', { isDefault: true })
    .description('List rollouts, newest first.')
    .option('--limit <n>', 'maximum number of rollouts', parseNumber, 20)
    .option('--after <rollout>', 'only rollouts after this one in the list')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { limit: number; after?: string }>()
      await lookAt(options, terminal, async ({ client }) => {
        const list = await client.rollouts({ limit: options.limit, after: options.after })
        printResult(terminal, options, list, () => formatRollouts(list.data, terminal.columns))
        if (list.has_more) terminal.note(`There are more: espalier rollouts list --after ${list.last_id}`)
      })
    })

  rollouts
    .command('show')
    .description('Show the state of a rollout: its groups, policy version and costs.')
    .argument('<rollout>', 'the rollout')
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      await lookAt(options, terminal, async ({ client }) => {
        const rollout = await client.rollout(id)
        printResult(terminal, options, rollout, () => formatRollout(rollout))
      })
    })

  rollouts
    .command('follow')
    .description('Print each group of a rollout as it ends, until the rollout ends.')
    .argument('<rollout>', 'the rollout')
    .option('--after <sequence>', 'only groups after this position in the stream', parseNumber)
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { after?: number }>()
      await withConnection(options, terminal, (connection) =>
        followRollout(connection, id, options, terminal),
      )
    })

  rollouts
    .command('cancel')
    .description('End a rollout permanently. A group with an ended episode is delivered as incomplete.')
    .argument('<rollout>', 'the rollout')
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      await withConnection(options, terminal, async ({ client }) => {
        const rollout = await client.cancelRollout(id)
        printResult(terminal, options, rollout, () => formatRollout(rollout))
      })
    })
}

function addStart(rollouts: Command, terminal: Terminal): void {
  const command = rollouts
    .command('start')
    .description('Start a rollout, and print each group as it ends.')
    .optionsGroup('What is played:')
    .option('--file <path>', 'a JSON file with the rollout, or - for standard input; flags override it')
    .option('--name <text>', 'display name of the rollout')
  addTaskOptions(command, { split: 'train' })
  command
    .optionsGroup('Groups:')
    .option('--group-size <n>', 'number of episodes of each task (default: 8)', parseNumber)
    .option('--policy <version>', 'your name for the weights that the endpoint serves (default: 0)')
    .option(
      '--timeout <seconds>',
      'maximum working time of an episode; a longer one is missing from its group',
      parseNumber,
    )
    .option(
      '--in-flight <n>',
      'maximum number of episodes queued or played at once (default: 64)',
      parseNumber,
    )
    .addOption(
      choiceOption('--record <what>', 'text: rewards and trees without tokens (default: tokens)', [
        'tokens',
        'text',
      ]),
    )
    .option(
      '--credit <name=value>',
      'a parameter of the rows, such as advantage=tree-grpo; may be given several times',
      collect,
    )
    .optionsGroup('How:')
  addPlayOptions(command)
  command.optionsGroup('Limits:')
  addLimitOptions(command, 'rollout')
  command.optionsGroup('Then:')
  addLabelOptions(command, 'rollout')
  command
    .option('--idempotency-key <text>', 'repeat the command with this key to get the same rollout')
    .option('--detach', 'start the rollout and return; needs a running service')
    .addHelpText(
      'after',
      `\nExample: espalier rollouts start --environment ${exampleEnvironment} --method react --model simulated --record text --limit 4 --group-size 4`,
    )
    .action(async (_: unknown, used: Command) => {
      await start(used.optsWithGlobals<StartOptions>(), terminal)
    })
}

async function start(options: StartOptions, terminal: Terminal): Promise<void> {
  const asked = await readRunRequest(options, terminal, { split: 'train' })
  const request = withGroups(asked.request, options)
  if (asked.environment !== null) await addEnvironmentFile(asked.environment, options, terminal)
  if (asked.method !== null) await addMethodFile(asked.method, options, terminal)
  await withConnection(options, terminal, async (connection) => {
    await checkFilesServed(connection.client, asked)
    if (options.detach && connection.embedded) throw detachNeedsService()
    const begun = await connection.client.createRollout(request, options.idempotencyKey ?? randomUUID())
    if (options.detach) {
      terminal.out(options.json ? JSON.stringify(begun, null, 2) : begun.id)
      return
    }
    terminal.note(`${begun.id} · ${begun.groups.total} groups of ${begun.group_size} episodes`)
    await followRollout(connection, begun.id, options, terminal)
  })
}

export function withGroups(request: JsonObject, flags: GroupFlags): JsonObject {
  const { credit, groupSize, inFlight, policy, record, timeout } = flags
  const credits = typeof request.credit === 'object' && request.credit !== null ? request.credit : {}
  return {
    ...request,
    ...(groupSize !== undefined && { group_size: groupSize }),
    ...(policy !== undefined && { version: policy }),
    ...(timeout !== undefined && { timeout }),
    ...(inFlight !== undefined && { in_flight: inFlight }),
    ...(record !== undefined && { record }),
    ...(credit !== undefined && { credit: { ...credits, ...parseSettings(credit) } }),
  }
}

/**
 * Prints the groups of a rollout as they end, then the rollout; with `--json`, its events and then the rollout as JSON
 * lines. Ctrl-C leaves the rollout as it is and prints the command that continues behind the last group.
 * @throws CommandError exit code 1 unless the rollout succeeded
 */
async function followRollout(
  { client, embedded }: Connection,
  id: string,
  options: GlobalOptions & { after?: number },
  terminal: Terminal,
): Promise<void> {
  let { after = 0 } = options
  let rollout: RolloutRun | null = null
  for await (const message of client.rolloutEvents(id, { signal: terminal.interruption(), after })) {
    if ('end' in message) break
    if ('event' in message) {
      after = message.event.sequence
      terminal.out(options.json ? JSON.stringify(message.event) : formatGroup(message.event.group))
      continue
    }
    rollout = message.rollout
    // A paused rollout plays nothing until its run is resumed.
    if (rollout.status === 'paused') break
  }
  if (terminal.interruption().aborted) {
    const next = nextCommand(terminal, options, `rollouts follow ${id} --after ${after}`)
    throw interrupted(
      `${embedded ? 'Stopped. Ended groups are kept' : 'The rollout goes on at the service'}: ${next}`,
    )
  }
  if (rollout?.status !== 'paused') rollout = await client.rollout(id)
  terminal.out(options.json ? JSON.stringify(rollout) : ['', ...formatRollout(rollout)].join('\n'))
  checkEnd(rollout, nextCommand(terminal, options, `resume ${rollout.run}`))
}

function checkEnd({ id, status, status_reason }: RolloutRun, resume: string): void {
  if (status === 'succeeded') return
  const reason = status_reason === null ? '' : `: ${status_reason.replace(/\.$/, '')}`
  const way = status === 'paused' ? ` Go on: ${resume}` : ''
  throw new CommandError(`rollout_${status}`, `The rollout ${id} is ${status}${reason}.${way}`)
}
