import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('../../shared/environments/scienceworld/host', import.meta.url))
const program = `
import json, sys
sys.path.insert(0, sys.argv[1])
from nearest_action import nearest_action
print(json.dumps([nearest_action(*case) for case in json.loads(sys.argv[2])]))
`

const valid = [
  'open cupboard',
  'open door to hallway',
  'close door to hallway',
  'pick up metal pot',
  'pour metal pot into cup containing orange juice',
  'focus on metal pot',
  'focus on steam',
  'focus on agent',
  'focus on kitchen',
  'look around',
]
const look = 'This room is called the kitchen. In it, you see: a counter. On the counter is: a metal pot'
const carried = 'In your Inventory, you see: a Thermometer'

/** Written, and what is done: by the rules of Agent-R, one line each. */
const cases = [
  ['pick up metal pot', 'pick up metal pot'],
  [' pick up metal pot ', 'pick up metal pot'],
  ['pick up the metal pot', 'pick up metal pot'],
  // Of those that share as many words, the shortest.
  ['metal pot', 'pick up metal pot'],
  // Every room's door can be opened, whether it is listed or not.
  ['open door to art studio', 'open door to art studio'],
  ['open door to green house', 'open door to greenhouse'],
  // A door is never closed, and rooms and the agent are never focused on.
  ['close door to hallway', 'open door to hallway'],
  ['focus on agent', 'focus on metal pot'],
  // What is neither seen nor carried is not focused on.
  ['focus on steam', 'focus on metal pot'],
  // Nothing in common: as it was written, without signs.
  ['dance!', 'dance'],
] as const

test('what a model wrote becomes the listed action that shares most words with it', async () => {
  const asked = JSON.stringify(cases.map(([written]) => [written, valid, look, carried]))
  const { stdout } = await promisify(execFile)('python3', ['-c', program, folder, asked])
  expect(JSON.parse(stdout)).toEqual(cases.map(([, done]) => done))
})
