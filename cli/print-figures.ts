import type { Command } from 'commander'
import { withoutMark } from '../shared/data/exports/csv.ts'
import { type Rendered, render } from '../shared/insight/reports/export/render.ts'
import { choiceOption } from './choice-option.ts'
import { CommandError } from './command-error.ts'
import { writeTextFile } from './fill-folder.ts'
import type { GlobalOptions } from './global-options.ts'
import { printResult } from './print-result.ts'
import type { Terminal } from './terminal.ts'

export type FigureOptions = GlobalOptions & { format?: 'json' | 'csv' | 'md'; out?: string }

export function addFigureOptions(command: Command): Command {
  return command
    .addOption(
      choiceOption(
        '--format <format>',
        'csv: one figure a line, for statistics programs; md: tables in Markdown; json',
        ['json', 'csv', 'md'],
      ),
    )
    .option('--out <file>', 'write to this file (its ending decides the format, if --format does not)')
}

export function intervalOption() {
  return choiceOption('--interval <kind>', 'confidence interval method', ['t', 'bootstrap']).default('t')
}

export async function printFigures(
  terminal: Terminal,
  options: FigureOptions,
  value: Rendered,
  toLines: () => string[],
): Promise<void> {
  const { out } = options
  const ending = /\.(json|csv|md)$/.exec(out ?? '')?.[1] as FigureOptions['format']
  const format = options.format ?? (options.json ? 'json' : ending)
  const text =
    format === 'json'
      ? `${JSON.stringify(value, null, 2)}\n`
      : format === undefined
        ? null
        : render(value, format)
  if (out !== undefined) {
    await write(out, text ?? `${toLines().join('\n')}\n`)
    terminal.note(`Written to ${out}.`)
  } else if (text === null) printResult(terminal, options, value, toLines)
  else terminal.out(withoutMark(text).trimEnd())
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeTextFile(file, text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError('unwritable_file', `${file} cannot be written: ${reason}`)
  }
}
