/** A row of ETO's format with as many answers as asked for. */
export const expert = (id: number, shown = 'You see nothing.', answers = 2) => ({
  id,
  conversations: [
    { from: 'human', value: `Task ${id}.` },
    ...Array.from({ length: answers }, (_, at) => [
      { from: 'gpt', value: `Action: go ${at}` },
      { from: 'human', value: shown },
    ]).flat(),
  ],
})
/** A row that cannot be read. */
export const brokenExpert = { id: 7, conversations: [{ from: 'robot', value: 'x' }] }
