// A program for tests: counts its steps, and does what an action says. Speaks what a host speaks to programs.
import { createInterface } from 'node:readline'

const counts = new Map()
const capacity = Number(process.argv[2] ?? 1)
const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`)

for await (const line of createInterface({ input: process.stdin })) {
  const { id, op, session, task, action, files } = JSON.parse(line)
  if (op === 'describe') {
    const facts = {
      environment: 'scripted',
      description: 'Counts.',
      rules: 'Anything goes.',
      tasks: [{ id: 'one' }, { id: 'two' }],
    }
    say({ id, sessions: capacity, actions: true, ...facts })
  } else if (op === 'reset') {
    counts.set(session, 0)
    if (task === 'one' || task === 'two')
      say({ id, observation: `${task} ${Object.keys(files ?? {})} in ${process.pid}` })
    else say({ id, error: `no task ${task}`, code: 'unknown_task' })
  } else if (op === 'actions') say({ id, actions: ['count', 'win'] })
  else if (op === 'close') {
    counts.delete(session)
    say({ id })
  } else if (action === 'die') process.exit(3)
  else if (action === 'blame') {
    console.error('my fault')
    process.exit(3)
  } else if (action === 'hang') continue
  else if (action === 'nan') process.stdout.write(`{"id": ${id}, "observation": "x", "reward": NaN}\n`)
  else if (action === 'flood') process.stdout.write(`{"id": ${id}, "observation": "${'x'.repeat(50e6)}"}\n`)
  else if (action === 'garble') process.stdout.write('{"id": 1, ]]\u0000 garbage\n')
  else if (action === 'fail') say({ id, error: 'broken' })
  else if (action === 'misspeak') say({ id, observation: 7 })
  else {
    if (action === 'print') console.log('a line that was left in')
    counts.set(session, counts.get(session) + 1)
    const won = action === 'win'
    const progress = action === 'back' ? { progress: 0.1 } : action === 'half' ? { progress: 0.5 } : {}
    say({
      id,
      observation: `count ${counts.get(session)} of ${counts.size}`,
      reward: won ? 1 : 0,
      done: won,
      ...progress,
    })
  }
}
