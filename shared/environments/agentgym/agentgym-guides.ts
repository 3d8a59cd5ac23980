import { alfworldGuide } from '../alfworld/guide.ts'
import type { EnvironmentGuide } from '../environment.ts'
import { scienceworldGuide } from '../scienceworld/guide.ts'
import { textcraftGuide } from '../textcraft/guide.ts'
import { webshopGuide } from '../webshop/guide.ts'

const babyai: EnvironmentGuide = {
  rules: `You are in a world of rooms on a grid and see what is in front of you, told as text with distances in steps. You are given a goal, such as fetching a ball or opening a door.

Each answer lists the actions that are available now. They are such as:
- turn left · turn right · move forward
- go to <thing> <number> · pickup <thing> <number> · drop · toggle
- go through <door> <number> · toggle and go through <door> <number>
- check available actions

Write an action as it is listed.`,
  example: null,
}

export const agentgymGuides = {
  textcraft: textcraftGuide,
  webshop: webshopGuide,
  sciworld: scienceworldGuide(false),
  alfworld: alfworldGuide('put'),
  babyai,
}
