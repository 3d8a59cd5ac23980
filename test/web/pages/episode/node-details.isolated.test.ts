import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import type { NodeDetail } from '../../../../shared/core/contracts/node-detail.ts'
import type { TreeTool } from '../../../../shared/core/contracts/tree.ts'
import { noUsage } from '../../../../shared/core/contracts/usage.ts'
import { renderAccessibilityTree } from '../../../../shared/environments/browser/observations/accessibility-tree.ts'
import { renderHtmlTree } from '../../../../shared/environments/browser/observations/html-tree.ts'
import { accessibilityColumns } from '../../../../shared/environments/osworld/observations/accessibility-table.ts'
import { NodeDetails } from '../../../../web/pages/episode/node-details.tsx'
import { runQuery } from '../../../../web/service/run-query.ts'
import { makeRun } from '../../../builders/runs.ts'

// Modules that ask the service read the tab's key as they are loaded.
vi.hoisted(() => {
  vi.stubGlobal('sessionStorage', { getItem: () => null })
  vi.stubGlobal('location', { origin: 'http://espalier.test' })
  vi.stubGlobal('document', { visibilityState: 'visible', addEventListener: () => undefined })
})

const bare: NodeDetail = {
  object: 'node',
  run: 'run-1',
  episode: 'ep-0000000',
  index: 1,
  children: [],
  node: {
    parent: 0,
    depth: 1,
    action: 'go',
    message: 'Action: go',
    reward: 0,
    terminal: false,
    done: false,
    disaster: false,
    visits: 1,
    value: 0,
    prior: 1,
    state_hash: null,
  },
  observation: [],
  proposal: null,
  expansions: [],
  judgement: null,
  notes: [],
  others: [],
  usage: noUsage,
  state: null,
  state_changes: null,
  state_note: null,
}

function render(detail: Partial<NodeDetail>, tools: TreeTool[] = [], parent: NodeDetail = bare): string {
  const place = { run: 'run-1', episode: 'ep-0000000', node: 1 }
  const details = createElement(NodeDetails, {
    detail: { ...bare, ...detail },
    place,
    range: { low: -1, high: 1 },
    tools,
  })
  const client = new QueryClient()
  client.setQueryData(runQuery(place.run).queryKey, makeRun())
  client.setQueryData(['node', place.run, place.episode, 0], parent)
  const routed = createElement(MemoryRouter, null, details)
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, routed))
}

const text = (text: string) => ({ type: 'text' as const, text })
const picture = (name: string) => ({
  type: 'blob' as const,
  sha256: name,
  media_type: 'image/png',
  url: `/blobs/${name}.png`,
})
const tabsOf = (shown: string) => [...shown.matchAll(/role="tab"[^>]*>([^<]*)</g)].map(([, name]) => name)

const page = renderAccessibilityTree([
  { nodeId: '1', backendDOMNodeId: 1, role: { value: 'button' }, name: { value: 'Buy' }, bounds: undefined },
]).text
const dom = renderHtmlTree(
  {
    strings: ['A', 'href', '/buy', 'Buy'],
    nodes: {
      nodeName: [0],
      nodeValue: [3],
      attributes: [[1, 2]],
      parentIndex: [-1],
      backendNodeId: [1],
    },
  },
  [undefined],
).text

test.each([
  [page, 'Accessibility tree'],
  [accessibilityColumns, 'Accessibility tree'],
  [dom, 'DOM'],
  ['You see a shop.', 'Text'],
])('screenshots stand before and after the action, beside a tab for the text %j', (shown, name) => {
  const before = { ...bare, index: 0, observation: [picture('before')] }
  const seen = render({ observation: [text(shown), picture('after')] }, [], before)
  expect(tabsOf(seen)).toEqual(['Screenshot', name])
  expect(seen.indexOf('Before the action')).toBeGreaterThan(0)
  expect(seen.indexOf('/blobs/before.png')).toBeLessThan(seen.indexOf('/blobs/after.png'))
})

test('a root has no screenshot before, equal texts are counted, and texts alone have no tabs', () => {
  const root = { ...bare.node, parent: null, depth: 0, action: null, message: null }
  const seen = render({ node: root, observation: [text('one'), picture('only'), text('two')] })
  expect(tabsOf(seen)).toEqual(['Screenshot', 'Text', 'Text 2'])
  expect(seen).not.toContain('the action')
  expect(tabsOf(render({ observation: [text('one'), text('two')] }))).toEqual([])
})

const call = (answers: string[]) => ({
  key: 'node/0/sample/0',
  asked: 'policy',
  model: 'simulated/simulated',
  messages: [],
  answers,
  endings: answers.map(() => ({ finish_reason: 'stop', fault: null })),
  usage: { ...noUsage, model_calls: 1, input_tokens: 7, output_tokens: 3 },
})

test('a node of which nothing more is known shows no empty parts', () => {
  expect(render({})).toBe('')
})

test('of the answers the one that was acted on is marked', () => {
  const page = render({ proposal: call(['Action: stay', 'Action: go']) })
  expect(page.match(/>taken</g)).toHaveLength(1)
  expect(page.indexOf('>taken<')).toBeLessThan(page.indexOf('Action: stay'))
  expect(page).toContain('1\u00a0call · 7 tokens in · 3 out · $0')
})

test('how an answer ended stands with it, and what is wrong with one that was cut', () => {
  const endings = [
    { finish_reason: 'stop', fault: null },
    { finish_reason: 'length', fault: 'cut' as const },
  ]
  const page = render({ proposal: { ...call(['Action: go', 'Thought: I']), endings } })
  expect(page).toContain('<code>stop</code>')
  expect(page).toContain('<code>length</code> cut at max_tokens')
})

test('an agent that calls tools was offered some, and the panel names those and the calls of its answer', () => {
  const tool = (name: string) => ({
    name,
    description: `Does ${name}.`,
    schema: {},
    action: `${name} {item}`,
  })
  const tools = [tool('get'), tool('craft')]
  const ending = { finish_reason: 'stop', fault: null, call_format: 'native' as const }
  const calls = [{ name: 'get', arguments: { item: 'log' } }]
  const proposal = { ...call(['I need a log.']), endings: [{ ...ending, calls }] }
  const page = render({ proposal }, tools)
  expect(page).toContain('2 offered, 1 called')
  expect(page).toMatch(/aria-label="Calls 1.tool".*get.*\{&quot;item&quot;:&quot;log&quot;\}/s)
  expect(render({ proposal: call(['I need a log.']) })).not.toContain('offered')
  expect(
    render(
      {
        judgement: {
          votes: [],
          value: 1,
          debate: null,
          checks: null,
          calls: [{ ...proposal, asked: 'value' }],
        },
      },
      tools,
    ),
  ).not.toContain('offered')
})

test('a debate, its votes and what they came to stand together', () => {
  const page = render({
    judgement: {
      votes: [
        { answer: 'STATUS CODE: B', value: 0.7 },
        { answer: 'nonsense', value: null },
      ],
      value: 0.7,
      debate: { support: 'It leads on.', oppose: 'It is slow.' },
      checks: null,
      calls: [],
    },
  })
  expect(page).toContain('It leads on.')
  expect(page).toContain('It is slow.')
  expect(page).toMatch(/0\.70.*1 of 2.*unreadable.*1 of 2/s)
})

test('a note leads to the episode that wrote it, also in another run', () => {
  const note = {
    id: 'n',
    side: 'policy',
    run: 'run-9',
    episode: 'ep-0000004',
    task: 't',
    note: 'Look first.',
  } as const
  expect(render({ notes: [{ ...note, similarity: 0.5 }] })).toContain(
    'href="/runs/run-9/episodes/ep-0000004"',
  )
})

test('what models and environments wrote is never markup, and no address of theirs is opened', () => {
  const hostile = '<script>alert(1)</script><img src=x onerror=alert(2)>\u202e'
  const page = render({
    observation: [
      { type: 'text', text: hostile },
      { type: 'blob', sha256: 'a', media_type: 'image/png', url: 'javascript:alert(1)' },
      { type: 'blob', sha256: hostile, media_type: 'text/html', url: '/v1/files/x' },
    ],
    proposal: call([hostile]),
    state_note: hostile,
    state_changes: [{ type: 'changed', path: [hostile], before: hostile, after: 1 }],
    notes: [
      { id: hostile, side: 'task', run: 'r', episode: 'e', task: hostile, note: hostile, similarity: null },
    ],
  })
  expect(page).not.toMatch(/<script|<img|javascript:|\u202e/)
  expect(page).toContain('⟨U+202E⟩')
})
