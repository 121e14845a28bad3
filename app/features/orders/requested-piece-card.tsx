import { href, Link } from 'react-router'
import { useCurrency } from '#app/features/pricing/currency-context.ts'
import { formatMoney } from '#app/features/pricing/money.ts'
import type { RequestedPiece } from './order.ts'
import { Thumbnail } from '#app/ui/thumbnail.tsx'
import { pieceTexts as texts } from './requested-piece-texts.ts'
import css from './requested-piece-card.module.css'

/** Shows the requested item in the conversation, to the customer and to the owner. [S-306] */
export function RequestedPieceCard({ piece }: { piece: RequestedPiece }) {
  const currency = useCurrency()
  const { name, color, cents, state, picture } = piece
  const content = (
    <>
      <Thumbnail picture={picture} />
      <span className={`column slim ${css.facts}`}>
        <span className="small">{texts.request}</span>
        <span className="strong">{name}</span>
        {color && <span className="small">{color}</span>}
        <span className={`wrap apart small tabular ${css.last}`}>
          <span className="unbroken">{formatMoney(cents, currency)}</span>
          <span className="strong">{texts.states[state]}</span>
        </span>
        {!piece.isInShop && <span className="small">{texts.gone}</span>}
      </span>
    </>
  )
  const className = `row same-color undecorated ${css.card}`
  return piece.isInShop ? (
    <Link
      className={className}
      to={href('/item/:itemid', { itemid: piece.itemId })}
    >
      {content}
    </Link>
  ) : (
    <span className={className}>{content}</span>
  )
}
