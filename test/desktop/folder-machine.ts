import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'

/** A machine without a screen: its API over a folder, in which its commands run. */
export interface FolderMachine {
  address: string
  /** The paths that were asked for, in order. */
  asked: string[]
  /** What it answers at some paths instead. */
  instead: Record<string, FolderAnswer>
  close(): Promise<void>
}

export interface FolderAnswer {
  status: number
  body: string | Buffer
  headers?: Record<string, string>
}

const json = (body: unknown, status = 200): FolderAnswer => ({ status, body: JSON.stringify(body) })

/** @param folder What lies in `/home/user` of the machine. */
export async function openFolderMachine(folder: string): Promise<FolderMachine> {
  const asked: string[] = []
  const placeOf = (path: string) => join(folder, path.replace(/^\/home\/user/, ''))

  const sendFile = async (form: URLSearchParams): Promise<FolderAnswer> => {
    try {
      return { status: 200, body: await readFile(placeOf(form.get('file_path') ?? '')) }
    } catch {
      return json({ error: 'File not found' }, 404)
    }
  }

  const upload = async (body: Buffer, type: string): Promise<FolderAnswer> => {
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
    const place = placeOf(String(form.get('file_path')))
    await mkdir(dirname(place), { recursive: true })
    await writeFile(place, Buffer.from(await (form.get('file_data') as File).arrayBuffer()))
    return json({})
  }

  const execute = ({
    command,
    shell,
  }: {
    command: string | string[]
    shell?: boolean
  }): Promise<FolderAnswer> => {
    const words = shell ? ['/bin/sh', '-c', [command].flat().join(' ')] : [command].flat()
    const [file = '', ...rest] = words
    return new Promise((resolve) => {
      execFile(file, rest, { cwd: folder, env: { ...process.env, HOME: folder } }, (error, output, said) => {
        if (error && typeof error.code === 'string') resolve(json({ message: error.message }, 500))
        else resolve(json({ status: 'success', output, error: said, returncode: error?.code ?? 0 }))
      })
    })
  }

  const answer = async (request: IncomingMessage): Promise<FolderAnswer | null> => {
    const body = await buffer(request)
    const path = request.url ?? ''
    asked.push(path)
    if (machine.instead[path] !== undefined) return machine.instead[path]
    if (path === '/file') return sendFile(new URLSearchParams(body.toString()))
    if (path === '/setup/upload') return upload(body, request.headers['content-type'] ?? '')
    if (path === '/execute' || path === '/setup/execute') return execute(JSON.parse(body.toString()))
    if (path === '/setup/launch') return json({ message: 'No such program' }, 500)
    if (path === '/setup/activate_window') return json({ message: 'No such window' }, 404)
    // What hangs up without an answer.
    if (path === '/terminal') return null
    return json({ message: `There is no ${basename(path)}.` }, 404)
  }

  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const found = await answer(request)
    if (found === null) response.destroy()
    else response.writeHead(found.status, found.headers).end(found.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const machine: FolderMachine = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    instead: {},
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return machine
}
