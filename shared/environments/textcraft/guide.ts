import type { EnvironmentGuide } from '../environment.ts'
import { type ActionTool, verbTool } from '../tools/action-tool.ts'

const count = { type: 'integer', minimum: 1 }
const item = { type: 'string', minLength: 1, description: 'Its name, with blanks: oak logs.' }
const counted = {
  type: 'object',
  properties: { count, item },
  required: ['count', 'item'],
  additionalProperties: false,
}

const tools: readonly ActionTool[] = [
  {
    name: 'get',
    description: 'Fetches items that no recipe makes, such as raw materials.',
    schema: counted,
    action: 'get {count} {item}',
  },
  {
    name: 'craft',
    description: 'Applies one recipe once: concrete items, and exactly the counts that the recipe asks for.',
    schema: {
      type: 'object',
      properties: { count, item, using: { type: 'array', minItems: 1, items: counted } },
      required: ['count', 'item', 'using'],
      additionalProperties: false,
    },
    action: 'craft {count} {item} using {using}',
    items: { using: '{count} {item}' },
  },
  verbTool('inventory', 'Lists what you hold.'),
]

export const textcraftGuide: EnvironmentGuide = {
  tools,
  rules: `You play a crafting game. You are shown crafting commands and a goal; your job is to craft the goal item.

You can do one thing at a time:
- "get <count> <item>" fetches items that no recipe makes, such as raw materials.
- "craft <count> <item> using <count> <ingredient>, <count> <ingredient>" applies one recipe once. Name concrete items and exactly the counts that the recipe asks for. To apply it twice, do it twice.
- "inventory" lists what you hold.

Only some of the commands shown are needed. An ingredient that a command makes has to be crafted before it is used. Where a recipe asks for a kind of item, such as planks, any item of that kind will do, but name the item itself.`,
  example: {
    observation: `Crafting commands:
craft 1 campfire using 3 stick, 1 coal, 3 logs
craft 4 stick using 2 planks
craft 4 birch planks using 1 birch logs
craft 1 bowl using 3 planks

Goal: craft campfire.`,
    turns: [
      {
        thought:
          'A campfire takes 3 sticks, 1 coal and 3 logs. Sticks are made of planks, planks of birch logs. I start with the wood.',
        action: 'get 1 birch logs',
        observation: 'Got 1 birch logs',
      },
      {
        thought: 'One of the logs becomes planks.',
        action: 'craft 4 birch planks using 1 birch logs',
        observation: 'Crafted 4 minecraft:birch_planks',
      },
      {
        thought: 'Two planks make four sticks, and I need three.',
        action: 'craft 4 stick using 2 birch planks',
        observation: 'Crafted 4 minecraft:stick',
      },
      {
        thought: 'No command makes coal, so I fetch it.',
        action: 'get 1 coal',
        observation: 'Got 1 coal',
      },
      {
        thought: 'The campfire also takes three logs, which no command makes.',
        action: 'get 3 logs',
        observation: 'Got 3 logs',
      },
      {
        thought: 'Now I hold all of it.',
        action: 'craft 1 campfire using 3 stick, 1 coal, 3 logs',
        observation: 'Crafted 1 minecraft:campfire',
      },
    ],
  },
  program: `// A campfire takes 3 sticks, 1 coal and 3 logs; sticks are made of planks, and planks of logs.
function fetch(count, item) {
  act("get " + count + " " + item)
}

function craft(output, ...ingredients) {
  act("craft " + output + " using " + ingredients.join(", "))
}

fetch(1, "birch logs")
craft("4 birch planks", "1 birch logs")
craft("4 stick", "2 birch planks")
fetch(1, "coal")
fetch(3, "logs")
craft("1 campfire", "3 stick", "1 coal", "3 logs")`,
}
