import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDesktop } from '../../shared/environments/desktop/host/open-desktop.ts'
import { ownDesktops } from '../../shared/environments/desktop/host/seats.ts'
import { markedProcesses } from '../../shared/environments/desktop/host/session-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { driveDesktop, until, wordsFor } from './drive-desktop.ts'

const quiet = { log: () => undefined }

/** The name that a session's processes have in their environment. */
async function markOf(words: ReturnType<typeof wordsFor>): Promise<string> {
  return (await words.run('echo -n $ESPALIER_DESKTOP_SESSION')).output
}

test('what is typed into a window ends up in a file', async () => {
  const desktop = await driveDesktop()
  expect(desktop.runtime).toMatch(/^Debian \d+.*libreoffice-core \d+\.\d+/)
  await desktop.launch('gnome-terminal', '--working-directory=/home/user/Documents')
  await desktop.window('Terminal')
  const typed = await desktop.act("pyautogui.write('echo tea > cup.txt\\n', interval=0.02)")
  expect(typed).toEqual({ status: 'success', output: '', error: '', returncode: 0 })
  await until(async () => (await desktop.file('~/Documents/cup.txt')) === 'tea\n', 'the file')
  const { output } = (await (await desktop.get('/terminal')).json()) as { output: string }
  expect(output).toContain('echo tea > cup.txt')
  expect(existsSync(join(desktop.home, 'Documents/cup.txt'))).toBe(true)
})

test('two desktops see neither windows nor clipboard nor files nor processes of each other', async () => {
  const [one, other] = await Promise.all([driveDesktop(), driveDesktop()])
  await one.launch('gnome-terminal', '--title=Mine')
  await one.window('Mine')
  await one.run(
    'echo -n secret | xclip -selection clipboard >/dev/null 2>&1; echo mine > ~/mine.txt; echo mine > /tmp/mine.txt',
  )
  // xclip owns the clipboard some time after its command has ended.
  const clipboard = async () => (await one.run('timeout 5 xclip -selection clipboard -o')).output
  await until(async () => (await clipboard()) === 'secret', 'a clipboard with the secret')
  expect((await one.run('cat ~/mine.txt /tmp/mine.txt')).output).toBe('mine\nmine\n')
  expect((await other.run('wmctrl -l')).output).not.toContain('Mine')
  expect((await other.run('timeout 5 xclip -selection clipboard -o')).output).toBe('')
  expect(await other.file('/home/user/mine.txt')).toBeNull()
  expect(await other.file('/tmp/mine.txt')).toBeNull()
  expect((await one.run('pgrep -c xfce4-terminal')).output).toBe('1\n')
  expect((await other.run('pgrep -c xfce4-terminal')).output).toBe('0\n')
  expect((await other.run('ls /proc | grep -c ^[0-9]')).output.trim()).toMatch(/^\d\d?$/)
})

test('a desktop has no rights, no network and no account files of the machine', async () => {
  const desktop = await driveDesktop()
  expect((await desktop.run('id -un; echo $HOME; pwd')).output).toBe('user\n/home/user\n/home/user\n')
  expect((await desktop.run('grep CapEff /proc/self/status')).output).toMatch(/0{16}/)
  expect((await desktop.run('cat /etc/shadow; ls /root; touch /usr/mine; ls /sys')).output).toBe('')
  expect((await desktop.run('tail -n +3 /proc/net/dev | cut -d: -f1')).output.trim()).toBe('lo')
  const port = new URL(desktop.address).port
  expect((await desktop.run(`curl -s -m 2 http://127.0.0.1:${port}/platform`)).returncode).not.toBe(0)
})

test('nothing of a closed desktop is left', async () => {
  const folder = await temporaryFolder()
  const desktop = await openDesktop({ ...quiet, folder })
  const words = wordsFor(desktop)
  const mark = await markOf(words)
  await words.launch('gnome-terminal')
  await words.run('nohup setsid sleep 1000 >/dev/null 2>&1 &')
  expect((await markedProcesses(mark)).length).toBeGreaterThan(8)
  await Promise.all([desktop.close(), desktop.close()])
  expect(await markedProcesses(mark)).toEqual([])
  expect(await readdir(folder)).toEqual([])
  await expect(fetch(desktop.address)).rejects.toThrow()
  expect(desktop.lost.aborted).toBe(false)
})

test('a desktop whose screen was killed says that it is lost', async () => {
  const desktop = await driveDesktop()
  const mark = await markOf(desktop)
  const lost = new Promise((resolve) => desktop.lost.addEventListener('abort', resolve))
  await desktop.run('pkill -KILL Xvfb').catch(() => undefined)
  await lost
  expect(String(desktop.lost.reason)).toContain('Xvfb has ended with code -9')
  await until(async () => (await markedProcesses(mark)).length === 0, 'the end of its processes')
})

test('a port of the session is reached from outside', async () => {
  const desktop = await driveDesktop()
  await desktop.launch('python', '-m', 'http.server', '8080', '--bind', '127.0.0.1')
  await desktop.run('echo shown > ~/shown.txt')
  const port = await desktop.reach(8080)
  const shown = () =>
    fetch(`http://127.0.0.1:${port}/shown.txt`).then(
      (answer) => answer.text(),
      () => '',
    )
  await until(async () => (await shown()) === 'shown\n', 'the page')
  await expect(fetch(`http://127.0.0.1:${await desktop.reach(8081)}/`)).rejects.toThrow()
  expect(await desktop.reach(8080)).toBe(port)
})

test('a start that is given up leaves nothing', async () => {
  const folder = await temporaryFolder()
  const given = AbortSignal.timeout(200)
  await expect(openDesktop({ ...quiet, folder, signal: given })).rejects.toThrow('aborted due to timeout')
  expect(await readdir(folder)).toEqual([])
})

test('a start that fails says why', async () => {
  const folder = await temporaryFolder()
  const python = await temporaryFolder()
  await mkdir(join(python, 'bin'))
  await writeFile(join(python, 'bin/python'), '#!/bin/sh\necho There is no room. >&2\nexit 3\n', {
    mode: 0o755,
  })
  vi.stubEnv('ESPALIER_DESKTOP_PYTHON', python)
  onTestFinished(() => void vi.unstubAllEnvs())
  await expect(openDesktop({ ...quiet, folder })).rejects.toMatchObject({
    code: 'host_unreachable',
    message: expect.stringContaining('There is no room.'),
  })
  expect(await readdir(folder)).toEqual([])
})

test('the packages of sessions are installed as long as any session waits for them', async () => {
  vi.stubEnv('ESPALIER_CACHE', await temporaryFolder())
  vi.stubEnv('ESPALIER_DESKTOP_PYTHON', '')
  vi.resetModules()
  onTestFinished(() => void vi.unstubAllEnvs())
  const { desktopPython } = await import('../../shared/environments/desktop/host/open-desktop.ts')
  const closed = new Error('The session is closed.')
  const leaveSoon = () => {
    const leaving = new AbortController()
    setTimeout(() => leaving.abort(closed), 300)
    return leaving.signal
  }
  await expect(desktopPython(quiet.log, leaveSoon())).rejects.toBe(closed)
  const [leaves, stays] = [desktopPython(quiet.log, leaveSoon()), desktopPython(quiet.log)]
  await expect(leaves).rejects.toBe(closed)
  expect(existsSync(join(await stays, 'bin/python'))).toBe(true)
})

test.each([
  ['none', true],
  ['bubblewrap', false],
])('with isolation %s, whether a host may hold what a session left is %s', async (isolation, isSpent) => {
  vi.stubEnv('ESPALIER_DESKTOP_ISOLATION', isolation)
  onTestFinished(() => void vi.unstubAllEnvs())
  const seats = ownDesktops(() => undefined)
  expect(seats.isSpent).toBe(false)
  const seat = await seats.take(new AbortController().signal)
  await seat.close()
  expect(seats.isSpent).toBe(isSpent)
})

/** It takes `/home/user` of this machine, which has to be absent or empty, as in a container. */
test('a desktop without namespaces is one at a time, and leaves neither processes nor files', async () => {
  const folder = await temporaryFolder()
  const desktop = await openDesktop({ ...quiet, folder, isolation: 'none' })
  const words = wordsFor(desktop)
  const mark = await markOf(words)
  expect(desktop).toMatchObject({ isolation: 'none', home: '/home/user' })
  expect((await words.act('print(pyautogui.size())')).output).toBe('Size(width=1920, height=1080)\n')
  await words.run('echo tea > ~/cup.txt; nohup setsid sleep 1000 >/dev/null 2>&1 &')
  expect(await words.file('/home/user/cup.txt')).toBe('tea\n')
  await expect(openDesktop({ ...quiet, isolation: 'none' })).rejects.toMatchObject({ code: 'host_full' })
  await desktop.close()
  expect(await markedProcesses(mark)).toEqual([])
  expect(await readdir('/home/user')).toEqual([])
  expect(await readdir(folder)).toEqual([])
})
