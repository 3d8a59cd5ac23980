/** Text that UTF-8 cannot hold: half of a surrogate pair. A server may refuse it; an environment in this process answers it. */
export const notUnicode = '\ud800'

/** What no game expects and every environment is sent sooner or later. */
export const oddActions: readonly string[] = [
  '',
  ' ',
  '\n',
  'look\nlook',
  'x'.repeat(100_000),
  'a '.repeat(50_000),
  '('.repeat(100_000),
  '\u0000\u0001\u001b[31m\u007f',
  '🙂 ß ﷽ \u202e\u200b',
  '__proto__',
  'constructor toString',
  '[]{}()*+?.^$|\\"\'',
  'search[',
  'get -1 of 99999999999999999999',
]
