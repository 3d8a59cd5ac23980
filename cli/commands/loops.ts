import type { Command } from 'commander'
import { unknownName } from '../../shared/core/contracts/validation/nearest-name.ts'
import { wrongUsage } from '../command-error.ts'
import { lookAt, withConnection } from '../connect.ts'
import { writeTextFile } from '../fill-folder.ts'
import {
  formatLoop,
  formatLoopRecipe,
  formatLoopRecipes,
  formatLoopReport,
  formatLoops,
} from '../format-loop.ts'
import type { GlobalOptions } from '../global-options.ts'
import { parseNumber } from '../parse-setting.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'
import { watchLoop } from '../watch-loop.ts'

type ListOptions = GlobalOptions & { limit: number; after?: string }
type ReportOptions = GlobalOptions & { markdown?: boolean; out?: string }
type ResumeOptions = GlobalOptions & { maxCost?: number; maxTime?: number }

export function addLoopsCommand(program: Command, terminal: Terminal): void {
  const loops = program
    .command('loops')
    .description('List loops, look at one, report on it, or pause, resume and cancel it.')
    .addHelpText('after', '\nExample: espalier loops report loop-0123 --markdown')

  loops
    .command('list', { isDefault: true })
    .description('List loops, newest first.')
    .option('--limit <n>', 'maximum number of loops', parseNumber, 20)
    .option('--after <loop>', 'only loops after this one in the list')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<ListOptions>()
      await lookAt(options, terminal, async ({ client }) => {
        const list = await client.loops({ limit: options.limit, after: options.after })
        printResult(terminal, options, list, () => formatLoops(list.data, terminal.columns))
        if (list.has_more) terminal.note(`There are more: espalier loops list --after ${list.last_id}`)
      })
    })

  loops
    .command('show')
    .description('Show the state of a loop: its rounds and their stages.')
    .argument('<loop>', 'the loop')
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      await lookAt(options, terminal, async ({ client }) => {
        const loop = await client.loop(id)
        printResult(terminal, options, loop, () => formatLoop(loop, terminal.columns))
      })
    })

  loops
    .command('report')
    .description('Report on a loop: success by round, minus the start and the control, with 95 % intervals.')
    .argument('<loop>', 'the loop')
    .option('--markdown', 'print the report as Markdown')
    .option('--out <file>', 'write the report to this file: Markdown, or JSON if the name ends in .json')
    .addHelpText('after', '\nExample: espalier loops report loop-0123 --out report.md')
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ReportOptions>()
      await lookAt(options, terminal, async ({ client }) => {
        const isPage = options.out === undefined ? options.markdown : !options.out.endsWith('.json')
        if (isPage) {
          const page = await client.loopPage(id)
          if (options.out === undefined) terminal.out(page.trimEnd())
          else await writeTextFile(options.out, page)
          return
        }
        const report = await client.loopReport(id)
        if (options.out !== undefined)
          await writeTextFile(options.out, `${JSON.stringify(report, null, 2)}\n`)
        else printResult(terminal, options, report, () => formatLoopReport(report, terminal.columns))
      })
    })

  loops
    .command('watch')
    .description('Watch a loop to its end and print its report.')
    .argument('<loop>', 'the loop')
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      await withConnection(options, terminal, (connection) => watchLoop(connection, id, options, terminal))
    })

  for (const change of ['pause', 'cancel'] as const) {
    loops
      .command(change)
      .description(
        change === 'pause'
          ? 'Pause a loop. It can be resumed.'
          : 'End a loop permanently. Its runs, datasets and models stay.',
      )
      .argument('<loop>', 'the loop')
      .action(async (id: string, _: unknown, command: Command) => {
        const options = command.optsWithGlobals<GlobalOptions>()
        await withConnection(options, terminal, async ({ client }) => {
          const loop = await client.changeLoop(id, change)
          printResult(terminal, options, loop, () => formatLoop(loop, terminal.columns))
        })
      })
  }

  loops
    .command('resume')
    .description('Resume a paused loop. A failed stage is tried again.')
    .argument('<loop>', 'the loop')
    .option('--max-cost <dollars>', 'new cap on the cost', parseNumber)
    .option('--max-time <seconds>', 'new cap on the running time', parseNumber)
    .addHelpText('after', '\nExample: espalier loops resume loop-0123 --max-cost 40')
    .action(async (id: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ResumeOptions>()
      const limits = {
        ...(options.maxCost !== undefined && { cost: options.maxCost }),
        ...(options.maxTime !== undefined && { time: options.maxTime }),
      }
      await withConnection(options, terminal, async (connection) => {
        const loop = await connection.client.changeLoop(id, 'resume', { limits })
        // A service in this process would stop with the command.
        if (connection.embedded) await watchLoop(connection, id, options, terminal)
        else printResult(terminal, options, loop, () => formatLoop(loop, terminal.columns))
      })
    })

  loops
    .command('recipes')
    .description('List the recipes, and each setting with its source.')
    .argument('[recipe]', 'a recipe')
    .action(async (recipe: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      await lookAt(options, terminal, async ({ client }) => {
        const list = await client.loopRecipes()
        if (recipe === undefined) {
          printResult(terminal, options, list, () => formatLoopRecipes(list.data, terminal.columns))
          return
        }
        const found = list.data.find(({ id }) => id === recipe)
        const choices = list.data.map(({ id }) => id)
        if (found === undefined) throw wrongUsage(unknownName('There is no recipe', recipe, choices))
        printResult(terminal, options, found, () => formatLoopRecipe(found, terminal.columns))
      })
    })
}
