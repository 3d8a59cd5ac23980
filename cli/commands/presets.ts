import type { Command } from 'commander'
import type { PresetInfo } from '../../shared/core/contracts/preset.ts'
import { lookAt } from '../connect.ts'
import { wrap } from '../fit-text.ts'
import { formatTable } from '../format-table.ts'
import type { GlobalOptions } from '../global-options.ts'
import { printResult } from '../print-result.ts'
import type { Terminal } from '../terminal.ts'

export function addPresetsCommand(program: Command, terminal: Terminal): void {
  program
    .command('presets')
    .description("List the presets, each a paper's settings under one name; or show one with its sources.")
    .argument('[preset]', 'a preset')
    .addHelpText('after', '\nExample: espalier presets eto')
    .action(async (preset: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      await lookAt(options, terminal, async ({ client }) => {
        if (preset === undefined) {
          const list = await client.presets()
          printResult(terminal, options, list, () => formatPresets(list.data, terminal.columns))
          return
        }
        const info = await client.preset(preset)
        printResult(terminal, options, info, () => formatPreset(info, terminal.columns))
      })
    })
}

function formatPresets(presets: PresetInfo[], width: number): string[] {
  const rows = presets.map(({ id, title, environments, settings, deviations }) => [
    id,
    title,
    environments.join(', ') || 'any, none of the paper’s',
    String(settings.length),
    String(deviations.length),
  ])
  const columns = [
    { header: 'preset' },
    { header: 'what it is', flexible: true },
    { header: 'environments' },
    { header: 'settings', align: 'right' as const },
    { header: 'deviations', align: 'right' as const },
  ]
  return [
    ...formatTable(columns, rows, width),
    '',
    'Settings with their sources, and deviations: espalier presets PRESET',
  ]
}

function formatPreset(preset: PresetInfo, width: number): string[] {
  const { id, title, paper, source, environments, settings, deviations } = preset
  const only = (named: string[] | undefined) => (named === undefined ? '' : ` (in ${named.join(', ')})`)
  return [
    `${id}: ${title}`,
    ...wrap(paper, width),
    ...wrap(source, width),
    `environments: ${environments.join(', ') || 'any, none of the paper’s is here'}`,
    '',
    ...formatTable(
      [{ header: 'setting' }, { header: 'value' }, { header: 'from', flexible: 'wrap' }],
      settings.map(({ field, value, source: from, environments: named }) => [
        field,
        typeof value === 'string' ? value : JSON.stringify(value),
        `${from}${only(named)}`,
      ]),
      width,
    ),
    '',
    'What remains different',
    ...deviations.flatMap(({ text, environments: named }) => wrap(`- ${text}${only(named)}`, width)),
  ]
}
