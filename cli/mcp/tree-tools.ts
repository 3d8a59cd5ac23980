import { z } from 'zod'
import type { Tree } from '../../shared/core/contracts/tree.ts'
import { wrongUsage } from '../command-error.ts'
import { drawTree, drawTreeWithin } from '../draw-tree.ts'
import { formatNode } from '../format-node.ts'
import { formatEpisode } from '../format-run.ts'
import { episodeArgument, nodeArgument, offsetArgument, runArgument, runOf } from './arguments.ts'
import { stepLines } from './step-lines.ts'
import { defineTool, type Tool } from './tool.ts'

const width = 140
const room = { width, lines: 80 }

const place = { run: runArgument, episode: episodeArgument }

const getTree = defineTool({
  name: 'get_tree',
  description:
    'Draws the tree of an episode as text: actions, visits and values; ● marks the path of the answer. Without further arguments the drawing has at most 80 lines; `node` begins at a node.',
  scope: 'runs:read',
  input: z.strictObject({
    ...place,
    node: nodeArgument.optional().describe('Draw the subtree of this node.'),
    depth: z.int().min(1).max(1000).optional().describe('Levels to draw.'),
    children: z
      .int()
      .min(1)
      .max(100)
      .optional()
      .describe('Children of a node to draw; the others are folded.'),
    offset: offsetArgument,
  }),
  answer: (desk, { children, depth, episode, node, run }) =>
    desk.read(async (connection) => {
      const tree = await connection.client.tree(await runOf(connection, run), episode)
      if (node !== undefined) checkNode(tree, node)
      if (node === undefined && depth === undefined && children === undefined)
        return drawTreeWithin(tree, room).join('\n')
      return drawTree(tree, {
        width,
        ...(node !== undefined && { node }),
        ...(depth !== undefined && { depth }),
        ...(children !== undefined && { children }),
      }).join('\n')
    }),
})

const getNode = defineTool({
  name: 'get_node',
  description:
    'Shows one node in full: prompts, answers with thoughts, observation, verdicts and changes of the state.',
  scope: 'runs:read',
  input: z.strictObject({ ...place, node: nodeArgument, offset: offsetArgument }),
  answer: (desk, { episode, node, run }) =>
    desk.read(async (connection) => {
      const detail = await connection.client.node(await runOf(connection, run), episode, node)
      return formatNode(detail, width).join('\n')
    }),
})

const getTrajectory = defineTool({
  name: 'get_trajectory',
  description:
    'Shows the steps of an episode from the start to its answer, or to `node`: each action with its clipped observation. get_node has the whole text of a step.',
  scope: 'runs:read',
  input: z.strictObject({ ...place, node: nodeArgument.optional(), offset: offsetArgument }),
  answer: (desk, { episode, node, run }) =>
    desk.read(async (connection) => {
      const { client } = connection
      const id = await runOf(connection, run)
      const [facts, tree] = [await client.episode(id, episode), await client.tree(id, episode)]
      if (node !== undefined) checkNode(tree, node)
      const steps = stepLines(tree, { to: node ?? tree.best })
      return [...formatEpisode(facts), '', ...(steps.length > 0 ? steps : ['No action was taken.'])].join(
        '\n',
      )
    }),
})

function checkNode({ nodes }: Tree, node: number): void {
  if (nodes[node] !== undefined) return
  throw wrongUsage(`node: the tree has nodes 0 to ${nodes.length - 1}; there is no node ${node}.`)
}

export const treeTools: readonly Tool[] = [getTree, getNode, getTrajectory]
