import { BodyFiles } from '../../shared/core/world/local/body-files.ts'
import { Database } from '../../shared/core/world/local/database.ts'
import { storageError } from '../../shared/core/world/local/storage-error.ts'
import type { Faults } from './inject.ts'

const ioError = 10
const unlimitedPages = 4_294_967_294

/**
 * Makes writes to the data folder fail: some, as on a failing disk, or all that need space, by SQLite's own limit.
 * Ends the process immediately after the commit named in the control file.
 */
export function failWrites(faults: Faults): void {
  const write = Database.prototype.write
  const limited = new WeakMap<Database, boolean>()
  const countCommit = commitCounter(faults)

  function limitRoom(database: Database): void {
    const { full } = faults.control
    if ((limited.get(database) ?? false) === full) return
    limited.set(database, full)
    // SQLite raises it to the existing pages: writes without a new page still succeed, as on a full disk.
    database.prepare(`pragma max_page_count = ${full ? 1 : unlimitedPages}`).get()
  }

  Database.prototype.write = async function <Result>(this: Database, operation: () => Result) {
    if (faults.chance() < faults.control.storage) {
      faults.note('storage')
      throw failure(ioError, 'disk I/O error', this.path)
    }
    limitRoom(this)
    try {
      const result = await write.call(this, operation)
      countCommit()
      return result as Result
    } catch (error) {
      if (faults.control.full) faults.note('disk-full')
      throw error
    }
  }

  const writeBody = BodyFiles.prototype.write
  BodyFiles.prototype.write = async function (this: BodyFiles, body: Uint8Array) {
    const isFull = faults.control.full
    if (!isFull && faults.chance() >= faults.control.storage) return writeBody.call(this, body)
    faults.note(isFull ? 'disk-full' : 'storage')
    const [code, words] = isFull ? ['ENOSPC', 'no space left on device'] : ['EIO', 'i/o error']
    const error = Object.assign(new Error(`${code}: ${words}, write`), { code, syscall: 'write' })
    throw storageError(error, 'write', 'bodies')
  }
}

export function commitCounter(faults: Faults): () => void {
  let commits = 0
  return () => {
    const { kill } = faults.control
    if (kill?.pid !== process.pid) return
    commits += 1
    if (commits <= kill.commits) return
    faults.note('kill-write')
    process.kill(process.pid, 'SIGKILL')
  }
}

function failure(errcode: number, message: string, path: string): unknown {
  return storageError(Object.assign(new Error(message), { errcode }), 'write to', path)
}
