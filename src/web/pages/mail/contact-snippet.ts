import { texts as common } from '../../texts.ts';
import { texts } from './texts.ts';

const { snippet } = texts;

/**
 * Returns the HTML of a contact form: styled, accessible, with the result in place, and usable without script. Its
 * words are in the language of the app.
 */
export function contactSnippet(publicUrl: string, clientId: string, secret: string): string {
  return `<style>${STYLE}</style>
<form class="contact-form" action="${publicUrl}/sendcontactusform" method="post">
  <input type="hidden" name="ClientId" value="${clientId}">
  <input type="hidden" name="ClientSecret" value="${secret}">
  <label>${common.name} <input name="Name" autocomplete="name" maxlength="200"></label>
  <label>${snippet.email} <input name="Email" type="email" required autocomplete="email"></label>
  <label>${common.message} <textarea name="Message" rows="6" required></textarea></label>
  <!-- ${snippet.trapText} -->
  <div class="contact-trap" aria-hidden="true">
    <label>${snippet.trap} <input name="Website" tabindex="-1" autocomplete="off"></label>
  </div>
  <button>${snippet.send}</button>
  <p role="status" tabindex="-1"></p>
</form>
<script>${SCRIPT}</script>`;
}

const STYLE = `
  .contact-form { display: grid; gap: 1rem; max-width: 34rem; }
  .contact-form label { display: grid; gap: .25rem; }
  .contact-form input, .contact-form textarea {
    box-sizing: border-box; width: 100%; padding: .5rem .75rem; border: 1px solid #767676; border-radius: .375rem;
    background: transparent; color: inherit; font: inherit;
  }
  .contact-form button {
    justify-self: start; padding: .625rem 1.5rem; border: 0; border-radius: .375rem;
    background: #2456c8; color: #fff; font: inherit; cursor: pointer;
  }
  .contact-form [role=status] { margin: 0; }
  .contact-trap { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
`;

/** Returns a string literal for the script, with the quotes of a translation escaped. */
const literal = (text: string) => JSON.stringify(text);

/** Runs in the page that contains the form, without the modules of this app. */
const SCRIPT = `
  document.currentScript.previousElementSibling.addEventListener('submit', async (event) => {
    event.preventDefault();
    const form = event.target;
    const status = form.querySelector('[role=status]');
    if (form.ariaBusy === 'true') return;
    form.ariaBusy = 'true';
    status.textContent = ${literal(snippet.sending)};
    try {
      const response = await fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
      const answer = await response.json();
      status.textContent = response.ok
        ? ${literal(snippet.thanks)}
        : ${literal(`${snippet.notSent} `)} + answer.detail;
      if (response.ok) form.reset();
      const field = answer.errors?.[0] && form.elements.namedItem(answer.errors[0].path);
      (field ?? status).focus();
    } catch {
      status.textContent = ${literal(snippet.noConnection)};
      status.focus();
    }
    form.ariaBusy = 'false';
  });
`;
