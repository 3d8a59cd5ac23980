import type { DataPack, PackFile, PackSource } from '../../../shared/environments/data-pack.ts'
import { webshopDefinition } from '../../../shared/environments/webshop/definition.ts'
import { webshopPackFormat } from '../../../shared/environments/webshop/pack-format.ts'

/** An item in the form of the public product file. */
export function publicItem(asin: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    asin,
    name: `Thing ${asin}`,
    category: 'garden',
    query: 'Things ',
    product_category: 'Home › Things',
    full_description: 'A thing.',
    small_description: ['Useful', 'Plain'],
    pricing: '$10.00',
    customization_options: {},
    images: ['https://example.org/thing.jpg'],
    ...fields,
  }
}

const values = (...texts: string[]) => texts.map((value) => ({ value, image: null }))

/** A few products with every rule of the loader in them. */
export const smallItems = [
  publicItem('B000000001', {
    name: 'Clay Mug, Soft Glaze',
    query: 'coffee mugs',
    product_category: 'Home & Kitchen › Dining › Mugs',
    full_description: 'A mug with a "soft" glaze, [hand made].',
    pricing: '$12.50',
    customization_options: { Size: values('Small', ' Large '), color: values('Dark Red', 'navy/white') },
  }),
  publicItem('nan', { name: 'Without a number' }),
  publicItem('B0000000012', { name: 'With too long a number' }),
  publicItem('B000000002', {
    name: 'Oak Desk',
    query: 'desks',
    product_category: 'Furniture › Office › Desks',
    pricing: '$985.00',
    customization_options: '',
  }),
  publicItem('B000000001', { name: 'The same number again' }),
  publicItem('B000000003', {
    name: 'Steel Frying Pan',
    query: 'frying pans',
    product_category: 'Home & Kitchen › Cookware › Pans',
    full_description: null,
    small_description: 'Heats evenly',
    pricing: null,
    customization_options: { size: values('10 inch'), style: null },
  }),
  publicItem('B000000004', {
    name: 'Paper Lantern',
    query: 'lanterns',
    pricing: '$1,009.98 - $1,016.00',
    customization_options: { color: values('red [2 pack]', 'greenish', 'search') },
  }),
]

export const smallInstructions = {
  B000000001: {
    attributes: ['soft', 'dishwasher safe'],
    instruction: 'Find me soft mugs',
    instruction_attributes: ['soft'],
  },
  B000000002: {
    attributes: ['sturdy'],
    instruction: 'Find me sturdy desks',
    instruction_attributes: ['sturdy'],
  },
  B000000003: {
    attributes: ['easy clean'],
    instruction: 'Find me easy clean pans',
    instruction_attributes: ['easy clean'],
  },
  B000000004: { attributes: [] },
}

export const smallHumanInstructions = {
  B000000004: [
    {
      instruction: 'i want a lantern.',
      instruction_attributes: ['paper'],
      instruction_options: ['greenish'],
    },
    { instruction: 'anything', instruction_attributes: [], instruction_options: [] },
  ],
  B000000001: [
    {
      instruction: 'a soft mug',
      instruction_attributes: ['soft'],
      instruction_options: { color: 'dark red' },
    },
  ],
}

/** A folder of files, as a user adds it. */
export function folder(files: Record<string, unknown>): PackSource {
  const texts = new Map(
    Object.entries(files).map(([path, content]) => [
      path,
      typeof content === 'string' ? content : JSON.stringify(content),
    ]),
  )
  return {
    files: [...texts.keys()].sort(),
    read: async (path) => new TextEncoder().encode(texts.get(path)),
  }
}

/** The pack that a folder makes. */
export async function packOf(source: PackSource): Promise<DataPack> {
  const files = new Map<string, PackFile['body']>()
  for await (const { path, body } of webshopPackFormat.collect(source)) files.set(path, body)
  return {
    digest: 'small',
    name: 'small',
    files: [...files.keys()].sort(),
    async read(path) {
      const body = files.get(path)
      if (body === undefined) throw new Error(`The pack has no ${path}.`)
      return body
    },
  }
}

/** The environment over a folder, with the rules of its first task. */
export async function openFolder(files: Record<string, unknown>) {
  const environment = await webshopDefinition.open(await packOf(folder(files)))
  if (!('open' in environment)) throw new Error('webshop is played in process.')
  const tasks = environment.tasks()
  return { environment, tasks, core: await environment.open(tasks[0]?.id ?? '') }
}

export const smallFolder = {
  'items_shuffle_1000.json': smallItems,
  'items_ins_v2_1000.json': smallInstructions,
  'items_human_ins.json': smallHumanInstructions,
}
