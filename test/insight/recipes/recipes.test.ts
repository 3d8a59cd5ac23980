import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { paperRecipes } from '../../../shared/insight/recipes/recipes.ts'
import { findPreset } from '../../../shared/play/presets/presets.ts'
import { conformanceFolder } from '../../conformance/conformance-folder.ts'

const folder = join(conformanceFolder, '../specs')
const sheets: Readonly<Record<string, string>> = {
  'agent-r': 'agent-r.md',
  eto: 'eto.md',
  learnact: 'learnact.md',
  'exact-vwa': 'exact.md',
  'exact-osworld': 'exact.md',
}

const all = paperRecipes.flatMap((recipe) =>
  recipe.tables.flatMap((table) => table.rows.map((row) => ({ recipe, table, row }))),
)

test('every row has a number or the word that there is none, a preset or a reason, and a model that is stated', () => {
  for (const { recipe, table, row } of all) {
    expect(row.published, row.label).toHaveLength(table.columns.length)
    expect(row.preset === undefined, row.label).toBe(row.why !== undefined)
    if (row.uses !== undefined) expect(Object.keys(recipe.uses ?? {})).toContain(row.uses)
    if (row.preset !== undefined) expect(findPreset(row.preset).id).toBe(row.preset)
    for (const { environment } of table.columns) {
      expect(Object.keys(recipe.data)).toContain(environment)
      expect(Object.keys(recipe.practice)).toContain(environment)
    }
  }
})

const isAbsent = !existsSync(join(folder, 'exact.md'))

describe.skipIf(isAbsent)(isAbsent ? 'specs (skipped: they are absent)' : 'specs', () => {
  const sheetOf = (id: string) => readFileSync(join(folder, sheets[id] ?? ''), 'utf8').replaceAll('*', '')

  test.each(all.filter(({ row }) => row.published.some((value) => value !== null)))(
    'have the numbers of $recipe.id, $row.label, in one row',
    ({ recipe, row }) => {
      const numbers = row.published.map((value) => `${String(value).replace('.', '\\.')}(?:\\.?0+)?`)
      expect(sheetOf(recipe.id)).toMatch(new RegExp(`\\|\\s*${numbers.join('\\s*\\|\\s*')}\\s*\\|`))
    },
  )

  test.each(all.map(({ recipe, table }) => ({ recipe, table })))('have the counts of $recipe.id', (each) => {
    const text = sheetOf(each.recipe.id)
    for (const { count } of each.table.columns) {
      if (count !== null) expect(text).toMatch(new RegExp(`\\b${count}\\b`))
    }
  })
})
