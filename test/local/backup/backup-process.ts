import { backUp } from '../../../local/backup/back-up.ts'

/** Backs a folder up, and kills its process at the line of progress of that number. */
const [folder = '', target = '', dies = ''] = process.argv.slice(2)
let lines = 0
const sealed = await backUp({ folder }, target, () => {
  lines += 1
  if (lines === Number(dies)) process.kill(process.pid, 'SIGKILL')
})
console.log(JSON.stringify({ lines, sealed }))
