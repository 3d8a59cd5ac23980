/**
 * Builds the recipes of TextCraft from the npm package minecraft-data (MIT), in the form of a Minecraft data pack.
 *
 *   node shared/environments/textcraft/make-recipes.ts <folder of the unpacked package>
 *
 * The package expands a recipe with alternative items into one recipe for each (eight for sticks, sixty-four for
 * barrels) and lacks the groups of recipes. The tables below rebuild both, so that the game has the tags of the
 * original: `painting using 8 stick, 1 wool`. The same package yields the same file.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const gameVersion = '1.16.2'
const target = join(import.meta.dirname, 'recipes.data.json')

const woods = ['oak', 'spruce', 'birch', 'jungle', 'acacia', 'dark_oak']
const stems = ['crimson', 'warped']
const logsOf = (wood: string) => [
  `${wood}_log`,
  `${wood}_wood`,
  `stripped_${wood}_log`,
  `stripped_${wood}_wood`,
]
const stemsOf = (wood: string) => [
  `${wood}_stem`,
  `${wood}_hyphae`,
  `stripped_${wood}_stem`,
  `stripped_${wood}_hyphae`,
]
const colours =
  'white orange magenta light_blue yellow lime pink gray light_gray cyan purple blue brown green red black'.split(
    ' ',
  )
const stones = ['cobblestone', 'blackstone']

/** Families whose members are interchangeable in a recipe. The first match names the tag. */
const families: { tag: string; members: string[]; outputs?: RegExp }[] = [
  { tag: 'logs', members: [...woods.flatMap(logsOf), ...stems.flatMap(stemsOf)] },
  ...woods.map((wood) => ({ tag: `${wood}_logs`, members: logsOf(wood) })),
  ...stems.map((wood) => ({ tag: `${wood}_stems`, members: stemsOf(wood) })),
  { tag: 'planks', members: [...woods, ...stems].map((wood) => `${wood}_planks`) },
  { tag: 'wooden_slabs', members: [...woods, ...stems].map((wood) => `${wood}_slab`) },
  { tag: 'wool', members: colours.map((colour) => `${colour}_wool`) },
  { tag: 'stone_tool_materials', members: stones, outputs: /_(sword|shovel|pickaxe|axe|hoe)$/ },
  { tag: 'stone_crafting_materials', members: stones },
  { tag: 'soul_fire_base_blocks', members: ['soul_sand', 'soul_soil'] },
]

const woodPattern = `(?:${[...woods, ...stems].join('|')})`
const colourPattern = `(?:${colours.join('|')})`

const groups: { group: string; output: RegExp; ingredient?: RegExp }[] = [
  { group: 'sticks', output: /^stick$/ },
  { group: 'bonemeal', output: /^bone_meal$/ },
  { group: 'planks', output: new RegExp(`^${woodPattern}_planks$`) },
  { group: 'bark', output: new RegExp(`^(?:stripped_)?${woodPattern}_(?:wood|hyphae)$`) },
  { group: 'boat', output: new RegExp(`^${woodPattern}_boat$`) },
  { group: 'sign', output: new RegExp(`^${woodPattern}_sign$`) },
  ...['button', 'door', 'fence', 'fence_gate', 'pressure_plate', 'slab', 'stairs', 'trapdoor'].map(
    (part) => ({
      group: `wooden_${part}`,
      output: new RegExp(`^${woodPattern}_${part}$`),
    }),
  ),
  { group: 'dyed_bed', output: new RegExp(`^${colourPattern}_bed$`), ingredient: /_dye$/ },
  { group: 'bed', output: new RegExp(`^${colourPattern}_bed$`) },
  ...['banner', 'carpet', 'concrete_powder', 'stained_glass', 'stained_glass_pane', 'wool'].map((kind) => ({
    group: kind,
    output: new RegExp(`^${colourPattern}_${kind}$`),
  })),
  { group: 'stained_terracotta', output: new RegExp(`^${colourPattern}_terracotta$`) },
]

const itemSchema = z.array(z.object({ id: z.int(), name: z.string() }))
const resultSchema = z.object({ id: z.int(), count: z.int().positive() })
const recipesSchema = z.record(
  z.string(),
  z.array(
    z.union([
      z.object({ inShape: z.array(z.array(z.int().nullable())), result: resultSchema }),
      z.object({ ingredients: z.array(z.int()), result: resultSchema }),
    ]),
  ),
)

interface Draft {
  shaped: boolean
  rows: (string | null)[][]
  count: number
}

function main(folder: string | undefined): void {
  if (folder === undefined) {
    throw new Error(
      'Name the folder of the unpacked package: node shared/environments/textcraft/make-recipes.ts <folder>',
    )
  }
  const data = join(folder, 'minecraft-data/data/pc', gameVersion)
  const read = (file: string): unknown => JSON.parse(readFileSync(join(data, file), 'utf8'))
  const names = new Map(itemSchema.parse(read('items.json')).map(({ id, name }) => [id, name]))
  const nameOf = (id: number): string => {
    const name = names.get(id)
    if (name === undefined) throw new Error(`items.json has no item ${id}.`)
    return name
  }
  const drafts = new Map<string, Draft[]>()
  for (const [output, variants] of Object.entries(recipesSchema.parse(read('recipes.json')))) {
    const made = variants.map((variant): Draft => {
      const { count } = variant.result
      if ('ingredients' in variant)
        return { shaped: false, rows: [variant.ingredients.map(nameOf).sort()], count }
      return {
        shaped: true,
        rows: variant.inShape.map((row) => row.map((id) => id && nameOf(id))),
        count,
      } as Draft
    })
    drafts.set(nameOf(Number(output)), made)
  }

  const recipes = new Map<string, object>()
  for (const [output, variants] of drafts) {
    const merged = mergeFamilies(output, variants)
    for (const draft of merged) {
      const name = merged.length === 1 ? output : `${output}_from_${ingredientsOf(draft).join('_')}`
      if (recipes.has(name)) throw new Error(`Two recipes would be called ${name}.`)
      recipes.set(name, describe(output, draft))
    }
  }
  const lines = [...recipes]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, recipe]) => `${JSON.stringify(name)}:${JSON.stringify(recipe)}`)
  writeFileSync(target, `{\n${lines.join(',\n')}\n}\n`)
}

/** Joins recipes that differ only in members of one family, once for every member, into one that takes the tag. */
function mergeFamilies(output: string, variants: Draft[]): Draft[] {
  let merged = variants
  for (const { tag, members, outputs } of families) {
    if (outputs && !outputs.test(output)) continue
    const byPattern = Map.groupBy(merged, (draft) => JSON.stringify(substitute(draft, members, `#${tag}`)))
    merged = [...byPattern].flatMap(([pattern, drafts]) =>
      drafts.length === members.length ? [JSON.parse(pattern) as Draft] : drafts,
    )
  }
  return merged
}

function substitute(draft: Draft, members: string[], tag: string): Draft {
  const rows = draft.rows.map((row) =>
    row.map((name) => (name !== null && members.includes(name) ? tag : name)),
  )
  return { ...draft, rows }
}

function ingredientsOf({ rows }: Draft): string[] {
  return [...new Set(rows.flat().filter((name) => name !== null))].map((name) => name.replace('#', ''))
}

function describe(output: string, { shaped, rows, count }: Draft): object {
  const group = groups.find(
    (rule) =>
      rule.output.test(output) &&
      (!rule.ingredient || rows.flat().some((name) => rule.ingredient?.test(name ?? ''))),
  )?.group
  const symbols = new Map<string, string>()
  const slot = (name: string) =>
    name.startsWith('#') ? { tag: `minecraft:${name.slice(1)}` } : { item: `minecraft:${name}` }
  const symbolOf = (name: string | null): string => {
    if (name === null) return ' '
    const symbol = symbols.get(name) ?? String.fromCharCode(65 + symbols.size)
    symbols.set(name, symbol)
    return symbol
  }
  const pattern = rows.map((row) => row.map(symbolOf).join(''))
  const key = Object.fromEntries([...symbols].map(([name, symbol]) => [symbol, slot(name)]))
  const ingredients = rows.flat().map((name) => slot(name ?? ''))
  return {
    type: shaped ? 'minecraft:crafting_shaped' : 'minecraft:crafting_shapeless',
    ...(group !== undefined && { group }),
    ...(shaped ? { pattern, key } : { ingredients }),
    result: { item: `minecraft:${output}`, ...(count > 1 && { count }) },
  }
}

main(process.argv[2])
