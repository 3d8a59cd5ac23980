const quoted = (text: string | number) => JSON.stringify(String(text))

function orEmpty(body: string): string {
  return `(() => { try { ${body} } catch { return '' } })()`
}

export function selectedText(selector: string): string {
  return orEmpty(`return document.querySelector(${quoted(selector)}).textContent`)
}

export function productAttributes(attribute: string): string {
  return orEmpty(`const names = ${quoted(attribute)}.toLowerCase().split(' |or| ')
    const rows = document.querySelectorAll('#productDetails_detailBullets_sections1 tr')
    const cells = [...rows].map(({ children: [name, value] }) => [name.innerText.toLowerCase(), value.innerText])
    return cells.filter(([name]) => names.some((each) => name.includes(each))).map(([, value]) => value).join(', ')`)
}

export const productPrice = orEmpty(`const box = document.querySelector('.product-info-price .price-box')
  const amount = box.querySelector('[data-price-type="finalPrice"]')?.dataset.priceAmount
  return Number(amount ?? box.innerText.replace(/[^0-9.]/g, ''))`)

export const numberOfReviews =
  orEmpty(`const count = document.querySelector('[itemprop="reviewCount"]').innerText
  return Number.parseInt(count.replaceAll(',', ''), 10)`)

export const ratingAsPercentage = orEmpty(`const rating = document.querySelector('.rating-result')
  return Number.parseInt(rating.title.replace('%', ''), 10)`)

export const orderedProducts = `(() => {
  const rows = [...document.querySelectorAll('.table-order-items tbody tr')].filter((row) => row.querySelector('.col.sku'))
  return rows.map((row) => ({
    name: row.querySelector('.col.name .product-item-name, .col.name strong')?.innerText.trim() ?? '',
    sku: row.querySelector('.col.sku').innerText.trim(),
    quantity: Number.parseInt(row.querySelector('.col.qty').innerText.replace(/[^0-9]/g, ''), 10),
    options: [...row.querySelectorAll('.item-options dt')].map((name) => [
      name.innerText.trim(), name.nextElementSibling?.innerText.trim() ?? '',
    ]),
  }))
})()`

export function newestComment(person: string): string {
  return `(() => {
    const author = (comment) => comment.querySelector('.comment__info a, .comment__author')?.innerText.trim() ?? ''
    const time = (comment) => Date.parse(comment.querySelector('time')?.dateTime ?? '') || 0
    const text = (comment) => comment.querySelector('.comment__body')?.innerText.trim() ?? ''
    const own = [...document.querySelectorAll('.comment')].filter((each) => author(each) === ${quoted(person)})
    const [newest] = own.sort((one, other) => time(other) - time(one))
    if (newest === undefined) return null
    const above = newest.parentElement?.closest('.comment')
    return { username: author(newest), content: text(newest), parent: above ? { username: author(above), content: text(above) } : null }
  })()`
}

export function memberRole(person: string): string {
  return orEmpty(`const rows = [...document.querySelectorAll('table tr')]
    const own = rows.find((row) => row.innerText.includes('@' + ${quoted(person)}))
    return own.querySelector('[data-label="Max role"], .col-max-role').innerText.trim().split('\\n')[0].trim()`)
}

/** Text of HTML with its entities decoded, as in Python's `html.unescape`. */
export function unescaped(text: string): string {
  return `(() => { const area = document.implementation.createHTMLDocument('').createElement('textarea')
    area.innerHTML = ${quoted(text)}; return area.value })()`
}
