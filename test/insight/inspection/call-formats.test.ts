import { expect, test } from 'vitest'
import { callFormatSchema } from '../../../shared/core/contracts/message.ts'
import { readCalls } from '../../../shared/insight/inspection/read-calls.ts'
import { call } from '../../builders/journals.ts'

const json = '{"name": "get", "arguments": {"item": "log"}}'
const native = { id: '1', type: 'function', function: { name: 'get', arguments: '{"item": "log"}' } }

/** The same call in every notation. */
const answers = {
  native: { content: 'I need a log.', tool_calls: [native] },
  hermes: { content: `I need a log.\n<tool_call>\n${json}\n</tool_call>` },
  'qwen-xml': {
    content: '<tool_call>\n<function=get>\n<parameter=item>\nlog\n</parameter>\n</function>\n</tool_call>',
  },
  phi: { content: `<|tool_call|>[${json}]<|/tool_call|>` },
  mistral: { content: `[TOOL_CALLS][${json}]` },
  llama: { content: `<|python_tag|>${json.replace('arguments', 'parameters')}<|eom_id|>` },
  harmony: {
    content: '<|channel|>commentary to=functions.get <|constrain|>json<|message|>{"item": "log"}<|call|>',
  },
  json: { content: `\`\`\`json\n${json}\n\`\`\`` },
} as const

const endingOf = (choice: object, tools?: string) => {
  const choices = [{ finish_reason: 'stop', ...choice }] as never
  return readCalls(call('node/0/sample/0', { choices, ...(tools && { tools }) }))[0]?.show().endings[0]
}

test('every notation has an answer here', () => {
  expect(Object.keys(answers).toSorted()).toEqual(callFormatSchema.options.toSorted())
})

test.each(Object.entries(answers))('a call in the notation %s is recorded as such', (format, choice) => {
  expect(endingOf(choice, 'digest')).toMatchObject({
    call_format: format,
    fault: null,
    calls: [{ name: 'get', arguments: { item: 'log' } }],
  })
})

test('an answer without a call, and one to a call that offered no tools, have no notation', () => {
  expect(endingOf({ content: 'I need a log.' }, 'digest')).not.toHaveProperty('call_format')
  expect(endingOf(answers.hermes)).not.toHaveProperty('call_format')
  expect(endingOf(answers.hermes)).not.toHaveProperty('calls')
})

test('arguments that are no JSON stand as the model wrote them', () => {
  const tool_calls = [{ ...native, function: { name: 'get', arguments: '{"item": ' } }]
  expect(endingOf({ content: '', tool_calls }, 'digest')).toMatchObject({
    calls: [{ name: 'get', arguments: '{"item": ' }],
  })
})
