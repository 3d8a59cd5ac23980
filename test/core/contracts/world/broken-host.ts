process.stderr.write('This host cannot start.\n')
process.exitCode = 3
