const end = 'END_OF_FILE'

export function commandWithFile(name: string, content: string, command: string): string {
  return `cat > ${name} <<'${end}'\n${content.trimEnd()}\n${end}\n${command}`
}
