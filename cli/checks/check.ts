export interface Check {
  name: string
  status: 'ok' | 'warn' | 'fail'
  message: string
  action: string | null
}

export function ok(name: string, message: string): Check {
  return { name, status: 'ok', message, action: null }
}

export function warn(name: string, message: string, action: string): Check {
  return { name, status: 'warn', message, action }
}

export function fail(name: string, message: string, action: string): Check {
  return { name, status: 'fail', message, action }
}
