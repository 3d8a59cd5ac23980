import { Link as LinkIcon } from 'lucide-react'
import { createElement, type ReactNode } from 'react'
import { Link } from 'react-router'
import { CopyButton } from '../../components/copy-button.tsx'
import styles from './guide-content.module.css'
import type { GuideElement, GuideNode } from './guide-types.ts'
import { nodeText } from './node-text.ts'

const names: Record<string, string> = {
  sh: 'Commands',
  json: 'JSON',
  ts: 'TypeScript',
  python: 'Python',
}

export function GuideContent({ nodes }: { nodes: GuideNode[] }) {
  return <div className={styles.content}>{shown(nodes)}</div>
}

const plain = new Set(['p', 'ul', 'ol', 'li', 'strong', 'em', 'blockquote', 'hr', 'br', 'span'])
const longestUnbroken = 22
const ofTables = new Set(['thead', 'tbody', 'tr', 'th', 'td'])

function shown(nodes: GuideNode[]): ReactNode[] {
  return nodes.map((node, index) => {
    // The nodes of a page never move, so the index is a stable key.
    const key = `${index}`
    return typeof node === 'string' ? node : elementOf(node, key)
  })
}

function elementOf(element: GuideElement, key: string): ReactNode {
  const { tag, attributes = {}, children } = element
  if (/^h[2-4]$/.test(tag)) return heading(element, key)
  if (tag === 'a') return link(element, key)
  if (tag === 'code-block') {
    return (
      <GuideCode
        key={key}
        language={attributes.language ?? ''}
        place={attributes.place ?? ''}
        text={nodeText(children)}
      >
        {shown(children)}
      </GuideCode>
    )
  }
  if (tag === 'img') return picture(element, key)
  if (tag === 'table') {
    return (
      <section
        key={key}
        className={`sideways ${styles.tableFrame}`}
        aria-label={`Table, ${attributes.place}`}
        tabIndex={0}
      >
        <table>{shown(children)}</table>
      </section>
    )
  }
  if (ofTables.has(tag)) {
    const align = /text-align:(left|right|center)/.exec(attributes.style ?? '')?.[1]
    const name = align === 'right' ? styles.rightCell : undefined
    // Screen readers have no heading to announce for such a column.
    if (tag === 'th' && children.length === 0) return <td key={key} />
    const scope = tag === 'th' ? 'col' : undefined
    return createElement(tag, { key, className: name, scope }, shown(children))
  }
  if (tag === 'code') return inlineCode(children, key)
  if (!plain.has(tag)) throw new Error(`The guide has an element that is not shown: ${tag}.`)
  if (tag === 'hr' || tag === 'br') return createElement(tag, { key })
  return createElement(tag, { key, className: attributes.class, start: attributes.start }, ...shown(children))
}

/** Keeps a short code on one line: a name broken at a hyphen reads as two. */
function inlineCode(children: GuideNode[], key: string): ReactNode {
  const isShort = nodeText(children).length <= longestUnbroken
  return (
    <code key={key} className={isShort ? styles.unbroken : undefined}>
      {shown(children)}
    </code>
  )
}

function heading({ tag, attributes, children }: GuideElement, key: string): ReactNode {
  const text = nodeText(children)
  return createElement(
    tag,
    { key, id: attributes?.id, className: styles.heading },
    ...shown(children),
    <Link key="anchor" to={`#${attributes?.id}`} className={styles.anchor} aria-label={`Link to: ${text}`}>
      <LinkIcon size={14} aria-hidden />
    </Link>,
  )
}

function link({ attributes = {}, children }: GuideElement, key: string): ReactNode {
  if (attributes.to !== undefined) {
    return (
      <Link key={key} to={attributes.to}>
        {shown(children)}
      </Link>
    )
  }
  if (attributes.href !== undefined) {
    return (
      <a key={key} href={attributes.href} rel="noreferrer">
        {shown(children)}
      </a>
    )
  }
  const text = nodeText(children)
  return (
    <span key={key}>
      {shown(children)}
      {text !== attributes.file && (
        <>
          {' '}
          (<code>{attributes.file}</code>)
        </>
      )}
    </span>
  )
}

function picture({ attributes = {} }: GuideElement, key: string): ReactNode {
  const { src, alt = '', width, height } = attributes
  if (src === undefined) return <em key={key}>{alt}</em>
  return (
    <a key={key} href={src} className={styles.picture} aria-label={`Picture in its full size: ${alt}`}>
      <img src={src} alt={alt} width={width} height={height} loading="lazy" />
    </a>
  )
}

function GuideCode({
  language,
  place,
  text,
  children,
}: {
  language: string
  place: string
  text: string
  children: ReactNode
}) {
  const label = `${names[language] ?? 'Text'}, ${place}`
  return (
    <div className={styles.codeBlock}>
      <section
        className={`sideways ${styles.codeFrame} ${language === 'sh' || language === 'json' ? styles.codeWrapped : ''}`}
        aria-label={label}
        tabIndex={0}
      >
        <pre>
          <code>{children}</code>
        </pre>
      </section>
      {language !== '' && (
        <div className={styles.codeCopy}>
          <CopyButton what={label} text={text} />
        </div>
      )}
    </div>
  )
}
