import { expect, test } from 'vitest'
import type { Message } from '../../shared/core/contracts/message.ts'
import { openModelTokenizer } from '../../shared/learn/tokenizers/model-tokenizer.ts'
import { estimatePromptTokens } from '../../shared/play/models/estimate-tokens.ts'
import { runPython } from './run-python.ts'

interface Counted {
  tokenizer: string
  configuration: string
  conversations: Message[][]
  counts: number[]
}

const kinds = ['qwen', 'llama-3', 'gpt-2', 'llama-2', 'mistral', 'unigram', 'word-piece', 'word-level']

/** The ways in which templates of published models are written: marks, blocks with trimmed spaces, variables, special tokens. */
const templates = {
  chatml:
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}",
  trained:
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] }}{% if message['role'] == 'assistant' %}{% generation %}{{ message['content'] + '<|im_end|>' }}{% endgeneration %}{% else %}{{ message['content'] + '<|im_end|>' }}{% endif %}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant' }}{% endif %}",
  headers: `{{- bos_token }}
{%- if tools is not none %}
    {{- 'Tools: ' + tools | tojson }}
{%- endif %}
{%- set rest = messages %}
{%- if messages[0]['role'] == 'system' %}
    {%- set rules = messages[0]['content'] | trim %}
    {%- set rest = messages[1:] %}
{%- else %}
    {%- set rules = 'None.' %}
{%- endif %}
<|start_header_id|>system<|end_header_id|>

{{ rules }}{{ not_defined_anywhere }}<|eot_id|>
{%- for message in rest %}
    {{- '<|start_header_id|>' + message.role + '<|end_header_id|>\\n\\n' + message.content | trim + '<|eot_id|>' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
{%- endif %}
`,
  instructions:
    "{{ bos_token }}{% for message in messages %}{% if message['role'] == 'system' %}{{ '[INST] ' + message['content'] + '\n\n' }}{% elif message['role'] == 'user' %}{{ '[INST] ' + message['content'] + ' [/INST]' }}{% elif message['role'] == 'assistant' %}{{ ' ' + message['content'] + eos_token }}{% else %}{{ raise_exception('Unknown role') }}{% endif %}{% endfor %}",
}

test('conversations have as many tokens as transformers’ own apply_chat_template makes of them', async () => {
  const jobs = kinds.flatMap((kind, place) =>
    Object.entries(templates).map(([name, template]) => ({
      name: `${kind} ${name}`,
      kind,
      template,
      seed: place,
      conversations: 40,
    })),
  )
  const results = await runPython<Counted>('count_prompts.py', jobs)
  const wrong = results.flatMap(({ conversations, counts, ...files }, place) => {
    const { name = '', template = '' } = jobs[place] ?? {}
    const counter = openModelTokenizer({ model: name, chatTemplate: template, ...files })
    return conversations.flatMap((messages, at) => {
      const counted = counter.ofPrompt(messages)
      return counted === counts[at] ? [] : [`${name}: ${counted}, not ${counts[at]}`]
    })
  })
  expect(wrong).toEqual([])
  const all = results.flatMap(({ conversations, counts }) =>
    conversations.map((messages, at) => estimatePromptTokens(messages) / (counts[at] ?? 1)),
  )
  expect(all).toHaveLength(kinds.length * 4 * 40)
  // What the estimate says in place of the count.
  expect(Math.min(...all)).toBeLessThan(0.9)
  expect(Math.max(...all)).toBeGreaterThan(1.5)
})
