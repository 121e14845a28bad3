import { href } from 'react-router'
import { ownerParcelTexts as texts } from './owner-texts.ts'
import { SLIP_SIZES } from './slip-size.ts'
import css from './parcel-part.module.css'

/** Shows a link to the packing slip of an accepted offer for each paper size. [AGREE-57, AGREE-99] */
export const PackingSlipLinks = ({ offerId }: { offerId: string }) => (
  <div className={`row wrap ${css.sizes}`}>
    <span>{texts.slip}</span>
    {SLIP_SIZES.map((size) => (
      <a
        className="tap"
        key={size}
        href={`${href('/manage/packing-slip/:offerid', { offerid: offerId })}?size=${size}`}
        target="_blank"
        rel="noreferrer"
        aria-label={`${texts.slip}, ${texts.slipSizes[size]}`}
      >
        {texts.slipSizes[size]}
      </a>
    ))}
  </div>
)
