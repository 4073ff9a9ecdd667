/*
 * Scripts that pass the address typed at the sign-in on to the page for a forgotten password, in the storage
 * of the tab: in a URL, it would appear in the history and in logs.
 */

const ENTRY = "'posthouse-typed-address'";

/** Stores the address when the link with the id `forgot` is followed. */
export const STORE_ADDRESS = `
document.querySelector('#forgot')?.addEventListener('click', () =>
  sessionStorage.setItem(${ENTRY}, document.querySelector('#email').value));`;

/** Moves the stored address into the empty field. */
export const FILL_ADDRESS = `
const field = document.querySelector('#email');
field.value ||= sessionStorage.getItem(${ENTRY}) ?? '';
sessionStorage.removeItem(${ENTRY});`;
