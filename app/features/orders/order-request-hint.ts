/** ITEM-20: what stands above the order request, for those who may not write one yet too. */
export const REQUEST_HINT = 'Please include where you want to be contacted back (eg. phone, email, or in app)'
