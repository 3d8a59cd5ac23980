import type { EnvironmentGuide } from '../environment.ts'
import { type ActionTool, verbTool } from '../tools/action-tool.ts'

const rules = (
  moving: string,
) => `You are in a small world of rooms with tools, substances, plants and animals, and do an experiment in it.
Each of your actions is one command. Things are called as the observations call them; where two are alike, say where one is, as in "apple in bowl".
When a command could mean several things, you are shown a numbered list: answer with the number alone.

Looking:
- look around: the room you are in
- look at THING, look in THING, read THING
- inventory: what you carry
- task: what you have to do
Moving:
${moving}
Handling things:
- open THING, close THING, pick up THING, put down THING, move THING to PLACE, eat THING, flush THING
- pour LIQUID into CONTAINER, dunk CONTAINER into LIQUID, mix CONTAINER (mixes what is in it)
- use TOOL on THING, such as a thermometer or a lighter
- activate THING, deactivate THING
- connect PART to PART, disconnect PART: for circuits, at a terminal, as in "anode in light bulb"
Thinking and waiting:
- focus on THING: says that this is what the task asks for. Focusing on a wrong thing makes the task fail.
- wait (ten moments), wait1 (one moment)

The score rises with every part of the task that is done.`

const walking = '- go to ROOM, through a door that is open'
const teleporting = `${walking}\n- teleport to ROOM: straight to any room`

const rooms = ['art studio', 'bedroom', 'greenhouse', 'kitchen', 'living room', 'workshop']
const closed = (room: string) => `\n\tA door to the ${room} (that is closed)`

const kitchen = `This room is called the kitchen. In it, you see: 
	the agent
	a substance called air
	a chair. On the chair is: nothing.
	a counter. On the counter is: a bowl (containing a red apple, a banana, an orange, a potato), a drawer.
	a cupboard. The cupboard door is closed. 
	a freezer. The freezer door is closed. 
	a fridge. The fridge door is closed. 
	a glass jar (containing a substance called sodium chloride)
	a lighter
	a oven, which is turned off. The oven door is closed. 
	a painting
	a sink, which is turned off. In the sink is: nothing.
	a substance called soap
	a stopwatch, which is deactivated. 
	a stove, which is turned off. On the stove is: nothing.
	a table. On the table is: a glass cup (containing nothing).
	a thermometer, currently reading a temperature of 10 degrees celsius
	a yellow box (containing nothing)
You also see:${closed('bathroom')}
	A door to the hallway (that is open)${closed('outside')}`

export const exampleTask = 'find-non-living-thing/4'

const example: EnvironmentGuide['example'] = {
  observation: `Your task is to find a(n) non-living thing. First, focus on the thing. Then, move it to the yellow box in the kitchen.
This room is called the hallway. In it, you see: 
	the agent
	a substance called air
	a picture
You also see:${rooms.map(closed).join('')}`,
  turns: [
    {
      thought:
        'The yellow box is in the kitchen, where there will also be many things that do not live. Its door is closed.',
      action: 'open door to kitchen',
      observation: 'The door is now open.',
    },
    {
      thought: 'Now I can go there.',
      action: 'go to kitchen',
      observation: 'You move to the kitchen.',
    },
    { thought: 'Let me see what is here.', action: 'look around', observation: kitchen },
    {
      thought: 'A lighter does not live, and can be carried. I pick it up first.',
      action: 'pick up lighter',
      observation: 'You move the lighter to the inventory.',
    },
    {
      thought: 'The task says to focus on the thing before moving it.',
      action: 'focus on lighter',
      observation: 'You focus on the lighter.',
    },
    {
      thought: 'It only has to be put into the yellow box.',
      action: 'move lighter to yellow box',
      observation: 'You move the lighter to the yellow box.',
    },
  ],
}

const program = `// Some non-living thing has to be focused on and moved to the yellow box in the kitchen.
const wanted = ["lighter", "stopwatch", "thermometer"]

function enter(room) {
  act("open door to " + room)
  act("go to " + room)
  return act("look around")
}

const kitchen = enter("kitchen")
const thing = wanted.find((each) => kitchen.includes("a " + each))
if (thing === undefined) throw new Error("Nothing of this kind is here.")
act("pick up " + thing)
act("focus on " + thing)
act("move " + thing + " to yellow box")`

const verbs: readonly ActionTool[] = [
  verbTool('look around', 'Shows the room that you are in.'),
  verbTool('look at {thing}', 'Looks at a thing.'),
  verbTool('look in {thing}', 'Looks into a thing.'),
  verbTool('read {thing}', 'Reads it.'),
  verbTool('inventory', 'Shows what you carry.'),
  verbTool('task', 'Shows what you have to do.'),
  verbTool('go to {room}', 'Goes through a door that is open.'),
  verbTool('open {thing}', 'Opens it.'),
  verbTool('close {thing}', 'Closes it.'),
  verbTool('pick up {thing}', 'Takes it into the inventory.'),
  verbTool('put down {thing}', 'Lays it down.'),
  verbTool('move {thing} to {place}', 'Moves it there.', 'move'),
  verbTool('eat {thing}', 'Eats it.'),
  verbTool('flush {thing}', 'Flushes it.'),
  verbTool('pour {liquid} into {container}', 'Pours it.', 'pour'),
  verbTool('dunk {container} into {liquid}', 'Dunks it.', 'dunk'),
  verbTool('mix {container}', 'Mixes what is in it.'),
  verbTool('use {tool} on {thing}', 'Uses a tool, such as a thermometer or a lighter.', 'use'),
  verbTool('activate {thing}', 'Turns it on.'),
  verbTool('deactivate {thing}', 'Turns it off.'),
  verbTool('connect {part} to {other}', 'Connects parts of a circuit.', 'connect'),
  verbTool('disconnect {part}', 'Disconnects a part of a circuit.'),
  verbTool('focus on {thing}', 'Says that this is what the task asks for.'),
  verbTool('wait', 'Waits for ten moments.'),
  verbTool('wait1', 'Waits for one moment.'),
  verbTool('{number}', 'Answers a numbered list of meanings.', 'choose'),
]

const teleport = verbTool('teleport to {room}', 'Goes straight to any room.')

export function scienceworldGuide(canTeleport: boolean): EnvironmentGuide {
  return {
    tools: canTeleport ? [teleport, ...verbs] : verbs,
    rules: rules(canTeleport ? teleporting : walking),
    example,
    program,
  }
}
