import { toast, Toaster } from 'sonner';
import { toasterMounted } from '@/lib/toasts';

// The app loads its toaster when something is first said; here it is there from the beginning.
toasterMounted(toast);

export { toast, Toaster };
