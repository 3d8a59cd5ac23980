export interface PageFamily {
  readonly name: string
  readonly split: 'train' | 'dev' | 'test'
  readonly pages: readonly string[]
}

/**
 * The pages of MiniWoB++ 1.1.0 by family, without the copied sites of airlines. Pages of a family need the same
 * skill, so a family is in one split as a whole. Each split has easy and hard families, so `test` measures how skills
 * transfer to pages of another kind.
 */
export const pageFamilies: readonly PageFamily[] = [
  family('checkboxes', 'train', [
    'click-checkboxes',
    'click-checkboxes-large',
    'click-checkboxes-soft',
    'click-checkboxes-transfer',
    'number-checkboxes',
  ]),
  family('collapsibles', 'train', [
    'click-collapsible',
    'click-collapsible-nodelay',
    'click-collapsible-2',
    'click-collapsible-2-nodelay',
  ]),
  family('tabs', 'train', [
    'click-tab',
    'click-tab-2',
    'click-tab-2-easy',
    'click-tab-2-medium',
    'click-tab-2-hard',
  ]),
  family('single-clicks', 'train', ['click-test', 'click-test-2', 'click-test-transfer', 'unicode-test']),
  family('text-fields', 'train', ['enter-text', 'enter-text-2', 'enter-text-dynamic', 'text-transform']),
  family('log-ins', 'train', ['login-user', 'login-user-popup', 'enter-password']),
  family('mail', 'train', [
    'email-inbox',
    'email-inbox-delete',
    'email-inbox-forward',
    'email-inbox-forward-nl',
    'email-inbox-forward-nl-turk',
    'email-inbox-important',
    'email-inbox-nl-turk',
    'email-inbox-noscroll',
    'email-inbox-reply',
    'email-inbox-star-reply',
  ]),
  family('dates', 'train', [
    'choose-date',
    'choose-date-easy',
    'choose-date-medium',
    'choose-date-nodelay',
    'daily-calendar',
    'enter-date',
    'enter-time',
  ]),
  family('forms', 'train', [
    'form-sequence',
    'form-sequence-2',
    'form-sequence-3',
    'multi-layouts',
    'multi-orderings',
  ]),
  family('dragging', 'train', [
    'drag-box',
    'drag-circle',
    'drag-cube',
    'drag-items',
    'drag-items-grid',
    'drag-shapes',
    'drag-shapes-2',
    'drag-single-shape',
    'drag-sort-numbers',
    'resize-textarea',
  ]),
  family('shapes', 'train', [
    'click-color',
    'click-shades',
    'click-shape',
    'count-shape',
    'count-sides',
    'hover-shape',
    'identify-shape',
  ]),
  family('geometry', 'train', [
    'bisect-angle',
    'circle-center',
    'draw-circle',
    'draw-line',
    'find-midpoint',
    'grid-coordinate',
    'right-angle',
  ]),
  family('controls', 'train', [
    'use-colorwheel',
    'use-colorwheel-2',
    'use-slider',
    'use-slider-2',
    'use-spinner',
  ]),
  family('copying', 'train', [
    'copy-paste',
    'copy-paste-2',
    'highlight-text',
    'highlight-text-2',
    'text-editor',
  ]),
  family('numbers', 'train', [
    'ascending-numbers',
    'find-greatest',
    'generate-number',
    'guess-number',
    'hot-cold',
  ]),
  family('widgets', 'train', ['click-widget', 'navigate-tree']),
  family('moving', 'train', ['chase-circle', 'moving-items', 'simon-says']),
  family('links', 'dev', ['click-link']),
  family('menus', 'dev', ['click-menu', 'click-menu-2']),
  family('completion', 'dev', ['use-autocomplete', 'use-autocomplete-nodelay']),
  family('scrolling', 'dev', ['scroll-text', 'scroll-text-2', 'find-word']),
  family('games', 'dev', ['tic-tac-toe', 'stock-market']),
  family('buttons', 'test', ['button-delay', 'click-button', 'click-button-sequence']),
  family('dialogs', 'test', ['click-dialog', 'click-dialog-2']),
  family('focus', 'test', ['focus-text', 'focus-text-2']),
  family('lists', 'test', ['choose-list', 'click-option', 'click-scroll-list']),
  family('tables', 'test', ['phone-book', 'read-table', 'read-table-2']),
  family('sums', 'test', ['odd-or-even', 'simple-algebra', 'simple-arithmetic', 'visual-addition']),
  family('social', 'test', ['social-media', 'social-media-all', 'social-media-some']),
  family('search', 'test', ['search-engine']),
  family('orders', 'test', ['book-flight', 'book-flight-nodelay', 'buy-ticket', 'order-food']),
  family('pies', 'test', ['click-pie', 'click-pie-nodelay']),
  family('documents', 'test', ['sign-agreement', 'terminal']),
]

function family(name: string, split: PageFamily['split'], pages: readonly string[]): PageFamily {
  return { name, split, pages }
}
