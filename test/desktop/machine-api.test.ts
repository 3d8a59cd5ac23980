import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installPythonEnvironment } from '../../shared/core/programs/python-environment.ts'
import { openDesktop } from '../../shared/environments/desktop/host/open-desktop.ts'
import { desktopScoringPackages } from '../../shared/environments/desktop/python-packages.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type DrivenDesktop, until, wordsFor } from './drive-desktop.ts'

let desktop: DrivenDesktop

beforeAll(async () => {
  const opened = await openDesktop({ log: () => undefined })
  desktop = { ...opened, ...wordsFor(opened) }
})

afterAll(() => desktop.close())

const answerOf = async (response: Response) => ({ status: response.status, body: await response.json() })

test('a picture is a PNG of the whole screen, and a desktop at rest looks the same twice', async () => {
  const look = async () => Buffer.from(await (await desktop.get('/screenshot')).arrayBuffer())
  const first = await look()
  expect(first.subarray(1, 4).toString()).toBe('PNG')
  expect([first.readUInt32BE(16), first.readUInt32BE(20)]).toEqual([1920, 1080])
  await until(async () => (await look()).equals(await look()), 'a desktop at rest')
  const rested = await look()
  // The pointer is on the picture.
  await desktop.act('pyautogui.moveTo(700, 500)')
  expect((await look()).equals(rested)).toBe(false)
  expect(await (await desktop.get('/cursor_position')).json()).toEqual([700, 500])
})

describe('an action', () => {
  test('ends as it would in an interpreter of its own', async () => {
    expect(await desktop.act('import sys; print(1); print(2, file=sys.stderr); sys.exit(3)')).toEqual({
      status: 'success',
      output: '1\n',
      error: '2\n',
      returncode: 3,
    })
    const failed = await desktop.act('def f():\n  return x\nprint(f())')
    expect(failed).toMatchObject({ status: 'success', output: '', returncode: 1 })
    expect(failed.error).toContain("NameError: name 'x' is not defined")
    expect((await desktop.act('this is no Python')).error).toContain('SyntaxError')
    expect(await desktop.act('import os; os.kill(os.getpid(), 9)')).toMatchObject({ returncode: -9 })
  })

  test('leaves nothing to the next one', async () => {
    await desktop.act('pyautogui.PAUSE = 5; left = 1; import json; json.dumps = None')
    const after = await desktop.act("import json; print(json.dumps(pyautogui.PAUSE), 'left' in globals())")
    expect(after.output).toBe('0.1 False\n')
  })

  test('is ended when it is late, with what it started, and its output is bounded', async () => {
    const late = await answerOf(
      await desktop.post('/espalier/act', {
        code: "import subprocess; subprocess.run(['sleep', '777'])",
        timeout: 1,
      }),
    )
    expect(late).toMatchObject({
      status: 200,
      body: { status: 'error', message: 'It took longer than 1 seconds.' },
    })
    const left = async () => (await desktop.run('pgrep -fc "^sleep 777"')).output
    await until(async () => (await left()) === '0\n', 'an end of what it started')
    const long = await desktop.act("print('x' * 3_000_000)")
    expect(long).toMatchObject({ status: 'success', returncode: 0 })
    expect(long.output.length).toBe(2 ** 20)
  })

  test('that halts what runs it is given up, and the next one runs', async () => {
    const halted = await answerOf(
      await desktop.post('/espalier/act', {
        code: 'import os; os.kill(os.getppid(), 19); time.sleep(778)',
        timeout: 1,
      }),
    )
    expect(halted).toMatchObject({ status: 200, body: { status: 'error' } })
    expect(await desktop.act('print(1)')).toMatchObject({ status: 'success', output: '1\n' })
  })

  test('ends though what it left in the background holds its output', async () => {
    const started = performance.now()
    await desktop.run('sleep 600 & echo begun')
    expect(performance.now() - started).toBeLessThan(120_000)
  })
})

test('commands are those of the shell, or words, and say what cannot be run', async () => {
  const execute = async (body: object) => answerOf(await desktop.post('/execute', body))
  expect(await execute({ command: 'echo "a  b" c' })).toEqual({
    status: 200,
    body: { status: 'success', output: 'a  b c\n', error: '', returncode: 0 },
  })
  expect(await execute({ command: ['ls', '~/Desktop'] })).toMatchObject({ body: { returncode: 0 } })
  expect(await execute({ command: 'exit 4', shell: true })).toMatchObject({ body: { returncode: 4 } })
  expect(await execute({ command: ['no-such-program'] })).toMatchObject({
    status: 500,
    body: { status: 'error', message: expect.stringContaining('no-such-program') },
  })
  const script = await desktop.post('/run_bash_script', {
    script: 'pwd; sleep 20',
    timeout: 5,
    working_dir: '/tmp',
  })
  expect(await script.json()).toMatchObject({ status: 'error', output: '/tmp\n', returncode: -1 })
  const verified = { command: ['true'], verification: { command_success: 'test -e ~/Desktop' } }
  expect((await desktop.post('/setup/execute_with_verification', verified)).status).toBe(200)
  const refuted = { ...verified, verification: { window_exists: 'No such window' }, max_wait_time: 0.5 }
  expect((await desktop.post('/setup/execute_with_verification', refuted)).status).toBe(500)
  for (const name of ['python', 'google-chrome', 'gnome-terminal', 'nautilus', 'soffice', 'libreoffice']) {
    expect((await desktop.run(`command -v ${name}`)).returncode, name).toBe(0)
  }
  // What tasks do as root is done as the user.
  expect((await desktop.run('sudo -n id -u')).output).toBe('1000\n')
  expect((await desktop.run('echo password | sudo -S touch /usr/mine')).returncode).not.toBe(0)
})

test('a file that cannot be read is answered like one that is not there', async () => {
  await desktop.run('echo 1 > locked.txt; chmod 000 locked.txt; mkfifo pipe')
  for (const path of ['~/locked.txt', '~/pipe', '~', '~/none.txt'])
    expect(await desktop.file(path), path).toBeNull()
  await desktop.run('rm -f locked.txt pipe')
})

test('no file grows beyond what scoring may read', async () => {
  const { output } = await desktop.run(
    'head -c 300M /dev/zero > large.bin; stat -c %s large.bin; rm large.bin',
  )
  expect(output).toBe(`${2 ** 28}\n`)
})

test('the accessibility tree says what is on the screen, and is cut where it is asked to be short', async () => {
  await desktop.launch('python', '-c', pageOfFields)
  await desktop.launch('xfce4-terminal', '--disable-server', '--title=Shell')
  await desktop.window('Shell')
  const tree = async (path: string) => ((await (await desktop.get(path)).json()) as { AT: string }).AT
  await until(async () => (await tree('/accessibility?showing=true')).includes('user@desktop'), 'a prompt')
  const [short, long] = [await tree('/accessibility?showing=true'), await tree('/accessibility')]
  expect(long).toMatch(/^<desktop-frame xmlns:act="https:\/\/accessibility.ubuntu.example.org\/ns\/action"/)
  expect(long).toMatch(/<menu [^>]*name="File"[^>]* act:[^>]*>/)
  expect(long).toMatch(
    /<terminal [^>]*st:showing="true"[^>]*cp:screencoord="\(\d+, \d+\)" cp:size="\(\d+, \d+\)"/,
  )
  expect(long).toContain('name="Move Tab Left"')
  expect(short).not.toContain('name="Move Tab Left"')
})

test('the accessibility tree has what libatspi has, in its order', async () => {
  await desktop.window('Shell')
  const walk = `
import gi
gi.require_version('Atspi', '2.0')
from gi.repository import Atspi
def walk(node, depth):
    name = node.get_role_name().replace(' ', '-')
    states = node.get_state_set()
    print(depth, name, node.get_name(), states.contains(Atspi.StateType.SHOWING), flush=True)
    for index in range(node.get_child_count()):
        walk(node.get_child_at_index(index), depth + 1)
root = Atspi.get_desktop(0)
for index in range(root.get_child_count()):
    walk(root.get_child_at_index(index), 1)
`
  const direct = (await (await desktop.post('/run_python', { code: walk })).json()) as { output: string }
  const ours = await inSession(`
from accessibility_tree import read_tree
from accessible_facts import TreeBounds
from accessibility_xml import STATE
def walk(element, depth):
    print(depth, element.tag, element.get('name'), element.get(STATE + 'showing') == 'true')
    for child in element:
        walk(child, depth + 1)
for child in read_tree(TreeBounds(), False).root:
    walk(child, 1)
`)
  expect(ours.split('\n').length).toBeGreaterThan(60)
  expect(ours).toBe(direct.output)
})

test('the accessibility tree is bounded, and says by what it was cut', async () => {
  const cut = (bound: string) =>
    inSession(`
from accessibility_tree import read_tree
from accessible_facts import TreeBounds
tree = read_tree(TreeBounds(${bound}), False)
print(sorted(tree.cut_by), len(list(tree.root.iter())) - 1)
`)
  expect(await cut('elements=20')).toBe("['elements'] 20\n")
  expect(await cut('depth=3')).toMatch(/^\['depth'\] \d+\n$/)
  expect(await cut('children=2')).toMatch(/^\['children'\] \d+\n$/)
  expect(await cut('text=5')).toMatch(/^\['text'\] \d+\n$/)
  expect(await cut('characters=50')).toMatch(/^\['characters'\] \d+\n$/)
  expect(await cut('seconds=0')).toBe("['seconds'] 0\n")
})

test('an application that hangs takes seconds of a tree, not the tree', async () => {
  await desktop.run('pkill -STOP xfce4-terminal')
  const started = performance.now()
  const { AT, cut_by } = (await (await desktop.get('/accessibility')).json()) as {
    AT: string
    cut_by: string[]
  }
  await desktop.run('pkill -CONT xfce4-terminal')
  expect(performance.now() - started).toBeLessThan(60_000)
  expect(cut_by).toEqual(['seconds'])
  expect(AT).toContain('name="pcmanfm"')
})

test('a file is opened in its application, whose window comes before the others', async () => {
  await desktop.run('echo hello > ~/Documents/opened.txt')
  expect((await desktop.post('/setup/open_file', { path: '~/Documents/opened.txt' })).status).toBe(200)
  const inFront = async () => (await desktop.run('xdotool getactivewindow getwindowname')).output
  await until(async () => (await inFront()).startsWith('opened.txt - LibreOffice'), 'its window in front')
  expect((await desktop.post('/setup/open_file', { path: '~/none.txt' })).status).toBe(404)
})

test('of a spreadsheet the tree has the cells that show, with what is in them', async () => {
  // A conversion by an instance that has windows would go by its own.
  await desktop.run('while pkill -x soffice.bin; do sleep 0.2; done')
  await desktop.run(
    'cd ~/Documents; seq 1 200 | sed "s/$/,tea/" > rows.csv; soffice --headless --convert-to xlsx rows.csv',
  )
  expect((await desktop.post('/setup/open_file', { path: '~/Documents/rows.xlsx' })).status).toBe(200)
  const cells = async (path: string) => {
    const { AT } = (await (await desktop.get(path)).json()) as { AT: string }
    const found = AT.matchAll(
      /<table-cell [^>]*name="([A-Z]+\d+)"[^>]*cp:screencoord="([^"]*)"[^>]*>([^<]*)</g,
    )
    return [...found].map(([, name, place, text]) => `${name} ${place} ${text}`)
  }
  await until(async () => (await cells('/accessibility?showing=true')).length > 100, 'its cells')
  const short = await cells('/accessibility?showing=true')
  expect(short.length).toBeLessThan(3000)
  expect(short.filter((cell) => /^B\d+ .* tea$/.test(cell)).length).toBeGreaterThan(20)
  expect(short[0]).toMatch(/^A1 \(\d+, \d+\) 1$/)
  await desktop.run('pkill -x soffice.bin')
})

/** Runs Python with the session's own modules. */
async function inSession(code: string): Promise<string> {
  const path = "import sys; sys.path.insert(0, '/opt/espalier/session')\n"
  const { output, error } = (await (await desktop.post('/run_python', { code: path + code })).json()) as {
    output: string
    error: string
  }
  expect(error).toBe('')
  return output
}

/** Windows of Tk have no accessibility; this one is for the size of its class. */
const pageOfFields =
  "import tkinter; window = tkinter.Tk(className='Fields'); window.geometry('320x240'); window.mainloop()"

test("OSWorld's own controller reads what is answered", async () => {
  const environment = await installPythonEnvironment(desktopScoringPackages(process.env), () => undefined)
  const upload = join(await temporaryFolder(), 'upload.bin')
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256))
  await writeFile(upload, bytes)
  await until(async () => (await desktop.run('wmctrl -lx')).output.includes('Fields'), 'the window of fields')
  const script = join(import.meta.dirname, 'ask_controller.py')
  const { stdout } = await promisify(execFile)(environment.python, [
    script,
    environment.beside ?? '',
    desktop.address,
    upload,
  ])
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual({
    picture: true,
    tree: true,
    platform: 'Linux',
    screen: { width: 1920, height: 1080 },
    window: { width: 320, height: 240 },
    desktop_path: '/home/user/Desktop',
    folders: ['Desktop', 'Documents', 'Downloads', 'Music', 'Pictures', 'Public', 'Templates', 'Videos'],
    script: { status: 'success', output: 'one\n', error: '', returncode: 0 },
    python: 'three\n',
    uploaded: true,
    wallpaper: true,
  })
  expect(await readFile(join(desktop.home, 'Documents/new/upload.bin'))).toEqual(bytes)
})
