/** A chat template as most models have it: marks around each message, with its role. */
export const chatTemplate =
  "{% for message in messages %}{{ '<|' + message['role'] + '|>' + message['content'] + '<|end|>' }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"

const marks = ['<|system|>', '<|user|>', '<|assistant|>', '<|end|>', '<|unknown|>']

const addedTokens = marks.map((content, id) => ({
  id,
  content,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
  special: true,
}))

interface TokenizerParts {
  pre_tokenizer: object
  model: object
}

function tokenizerFile(parts: TokenizerParts): string {
  return JSON.stringify({
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: addedTokens,
    normalizer: null,
    post_processor: null,
    decoder: null,
    ...parts,
  })
}

const vocabularyOf = (tokens: readonly string[]) =>
  Object.fromEntries([...marks, ...tokens].map((token, id) => [token, id]))

/** A `tokenizer.json` in which every word is one token, however long, known or not. */
export function wordLevelTokenizer(words: readonly string[] = []): string {
  return tokenizerFile({
    pre_tokenizer: { type: 'Whitespace' },
    model: { type: 'WordLevel', vocab: vocabularyOf(words), unk_token: '<|unknown|>' },
  })
}

/** A `tokenizer.json` of byte-level BPE with these merges alone: what they do not join has a token for each byte. */
export function bytePairTokenizer(merges: readonly [string, string][] = []): string {
  const bytes = Array.from({ length: 256 }, (_, byte) => byteLetter(byte))
  const joined = merges.map(([one, other]) => one + other)
  return tokenizerFile({
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    model: { type: 'BPE', vocab: vocabularyOf([...bytes, ...joined]), merges },
  })
}

/** The letter that stands for a byte in byte-level BPE: itself where it can be seen, else one beyond Latin-1. */
function byteLetter(byte: number): string {
  const isSeen = (at: number) =>
    (at >= 33 && at <= 126) || (at >= 161 && at <= 172) || (at >= 174 && at <= 255)
  if (isSeen(byte)) return String.fromCharCode(byte)
  const hiddenBefore = Array.from({ length: byte }, (_, at) => at).filter((at) => !isSeen(at)).length
  return String.fromCharCode(256 + hiddenBefore)
}
