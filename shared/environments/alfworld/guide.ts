import type { EnvironmentGuide } from '../environment.ts'
import { type ActionTool, verbTool } from '../tools/action-tool.ts'
import { notValid } from './agentboard-game.ts'
import { type AlfworldOptions, defaultAlfworldOptions } from './alfworld-options.ts'
import { nothingHappens } from './game.ts'
import type { PlacingVerb } from './household/domain-text.ts'

function alfworldTools(put: string, listsActions: boolean): ActionTool[] {
  return [
    verbTool('go to {receptacle}', 'Walks to a piece of furniture, and shows what is on it.'),
    verbTool('open {receptacle}', 'Opens it.'),
    verbTool('close {receptacle}', 'Closes it.'),
    verbTool('take {object} from {receptacle}', 'Picks up an object where you are.', 'take'),
    verbTool(put, 'Puts down the object that you hold.', 'put'),
    verbTool(
      'clean {object} with {receptacle}',
      'Cleans the object that you hold, at a sink basin.',
      'clean',
    ),
    verbTool('heat {object} with {receptacle}', 'Heats the object that you hold, at a microwave.', 'heat'),
    verbTool('cool {object} with {receptacle}', 'Cools the object that you hold, at a fridge.', 'cool'),
    verbTool('use {object}', 'Turns on a lamp where you are.'),
    verbTool('slice {object} with {tool}', 'Slices an object while you hold the knife.', 'slice'),
    verbTool('examine {thing}', 'Looks at a piece of furniture, or at the object that you hold.'),
    verbTool('look', 'Shows what is around you.'),
    verbTool('help', 'Lists the forms of actions.'),
    verbTool('inventory', 'Shows what you hold.'),
    ...(listsActions ? [verbTool('check valid actions', 'Lists every action that is possible now.')] : []),
  ]
}

export function alfworldGuide(
  verb: PlacingVerb,
  { language, refusal }: AlfworldOptions = defaultAlfworldOptions,
): EnvironmentGuide {
  const isAgentboard = language === 'agentboard'
  const place = (thing: string, receptacle: string) =>
    verb === 'move' ? `move ${thing} to ${receptacle}` : `put ${thing} in/on ${receptacle}`
  const arrive = (receptacle: string, loc: number, seen: string) => {
    if (verb === 'move') return `You arrive at ${receptacle}. ${seen}`
    return language === 'textworld' ? `You arrive at loc ${loc}. ${seen}` : seen
  }
  return {
    tools: alfworldTools(place('{object}', '{receptacle}'), isAgentboard),
    rules: `You are in a room of a house and have a task to do there. You see what is around you only as text.

You can do one thing at a time:
- "go to <receptacle>" walks to a piece of furniture and shows what is on it, or whether it is closed.
- "open <receptacle>", "close <receptacle>".
- "take <object> from <receptacle>" picks up an object where you are. You can hold one object only.
- "${place('<object>', '<receptacle>')}" puts down the object you hold.
- "clean <object> with <sinkbasin>", "heat <object> with <microwave>", "cool <object> with <fridge>" for the object you hold, when you stand there. Nothing has to be opened for that.
- "use <lamp>" turns on a lamp where you are. To look at an object under a lamp, hold the object and use the lamp.
- "slice <object> with <knife>" while you hold the knife.
- "examine <receptacle or held object>", "look", "inventory".${isAgentboard ? '\n- "check valid actions" lists every action that is possible now.' : ''}

Names have a number, as in "cabinet 2": write them exactly as they are shown. "${refusal === 'not_valid' ? notValid : nothingHappens}" means that an action was not possible there. If what you need is nowhere in sight, go from one place to the next and open what is closed.`,
    example: {
      observation: `You are in the middle of a room. Looking quickly around you, you see a cabinet 2, a cabinet 1, a countertop 1, a microwave 1, a shelf 1, a sinkbasin 1, and a stoveburner 1.

Your task is to: heat some mug and put it in shelf.`,
      turns: [
        {
          thought: 'I need a mug. I look for it where mugs are usually kept, beginning with the countertop.',
          action: 'go to countertop 1',
          observation: arrive(
            'countertop 1',
            4,
            'On the countertop 1, you see a fork 2, and a saltshaker 1.',
          ),
        },
        {
          thought: 'There is no mug here. It may be in a cabinet.',
          action: 'go to cabinet 1',
          observation: arrive('cabinet 1', 1, 'The cabinet 1 is closed.'),
        },
        {
          thought: 'The cabinet is closed, so I open it.',
          action: 'open cabinet 1',
          observation:
            'You open the cabinet 1. The cabinet 1 is open. In it, you see a mug 1, and a plate 1.',
        },
        {
          thought: 'Here is a mug. I take it.',
          action: 'take mug 1 from cabinet 1',
          observation: 'You pick up the mug 1 from the cabinet 1.',
        },
        {
          thought: 'Now it has to be heated, which is done with the microwave.',
          action: 'go to microwave 1',
          observation: arrive('microwave 1', 6, 'The microwave 1 is closed.'),
        },
        {
          thought: 'It need not be open to heat the mug.',
          action: 'heat mug 1 with microwave 1',
          observation: 'You heat the mug 1 using the microwave 1.',
        },
        {
          thought: 'The mug is hot and belongs in the shelf.',
          action: 'go to shelf 1',
          observation: arrive('shelf 1', 3, 'On the shelf 1, you see nothing.'),
        },
        {
          thought: 'I am there and put it down.',
          action: place('mug 1', 'shelf 1'),
          observation:
            verb === 'move' ? 'You move the mug 1 to the shelf 1.' : 'You put the mug 1 in/on the shelf 1.',
        },
      ],
    },
    program: String.raw`// Some mug has to be heated and put in shelf 1.
function look(place) {
  const seen = act("go to " + place)
  return seen.includes("is closed") ? act("open " + place) : seen
}

/** Looks for a thing of a kind, takes it and returns its name. */
function find(kind, places) {
  for (const place of places) {
    const found = new RegExp("\\b" + kind + " \\d+").exec(look(place).split("you see")[1])
    if (found === null) continue
    act("take " + found[0] + " from " + place)
    return found[0]
  }
  throw new Error("There is no " + kind + " in these places.")
}

const mug = find("mug", ["countertop 1", "cabinet 1", "cabinet 2", "sinkbasin 1", "stoveburner 1"])
act("go to microwave 1")
act("heat " + mug + " with microwave 1")
look("shelf 1")
act("${place('" + mug + "', 'shelf 1')}")`,
  }
}
