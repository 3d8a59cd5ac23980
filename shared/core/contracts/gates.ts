export const gates = {
  wrong_loss_mask: 'a row that would train on what it must not, or on nothing',
  unfit: 'a row that the format cannot hold as it is',
  held_out: 'a task that the environment holds out for evaluation',
  empty_turns: 'a turn that is empty or white space',
  same_action: 'a pair of answers at one node that take the same action',
  max_tokens: 'longer than `max_tokens`',
  duplicates: 'equal to an earlier row, character for character',
  leaks: 'a task or a prompt that is also in another split, or that is held out under another name',
} as const satisfies Record<string, string>

export type GateId = keyof typeof gates
