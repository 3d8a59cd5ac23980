/** Says that it listens and then never comes back. */
process.stdout.write(`pid ${process.pid}\n`)
process.stdout.write('{"port": 1}\n')
setTimeout(() => {
  for (;;);
}, 50)
