import { z } from 'zod'
import {
  type ActionTable,
  confirmed,
  formAction,
  refusalTable,
  textField,
} from '#lib/http/form-actions.server.ts'
import type { CustomerContext, OwnerContext } from '#conversation/conversation.server.ts'
import { MAX_MESSAGE_LENGTH, withPlainBreaks } from '#conversation/message.ts'
import { acceptOffer, cancelOffer, requestChange, withdrawOffer } from './offers.server.ts'
import { ownerOfferRefusals } from './owner-texts.ts'
import { offerRefusals, offerResults as texts } from './texts.ts'

const offerFields = z.object({ offerId: textField })
const changeFields = offerFields.extend({
  text: textField
    .transform(withPlainBreaks)
    .refine((text) => text.trim() !== '', texts.noText)
    .refine((text) => text.length <= MAX_MESSAGE_LENGTH, texts.longText),
})

export const customerOfferActions: ActionTable<CustomerContext> = {
  accept: formAction({
    schema: offerFields,
    run: acceptOffer,
    success: texts.accept,
    refusals: refusalTable(offerRefusals),
  }),
  'request-change': formAction({
    schema: changeFields,
    run: requestChange,
    success: texts['request-change'],
    refusals: refusalTable(offerRefusals),
  }),
}

export const ownerOfferActions: ActionTable<OwnerContext> = {
  withdraw: formAction({
    schema: offerFields,
    run: withdrawOffer,
    success: texts.withdraw,
    refusals: refusalTable(ownerOfferRefusals),
  }),
  cancel: confirmed(
    formAction({
      schema: offerFields,
      run: cancelOffer,
      success: texts.cancel,
      refusals: refusalTable(ownerOfferRefusals),
    }),
    { toasts: [texts.notConfirmed] },
  ),
}
